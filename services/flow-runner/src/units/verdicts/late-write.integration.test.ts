import { until } from '@sluice/ports/testing';
import { runnerLab, shopConfig, type LabEvent, type RunnerLab } from '../../test-support/runner-lab';

const upserts = '/crm/v3/objects/contacts/batch/upsert';
const policy = { attempts: 1, waitsMs: [50], ceilingMs: 50, ttlMs: 1_209_600_000 };
/** The timeout of a call, the later time at which it takes effect, and the time until which a write may take effect. */
const [timeoutMs, landsMs, lateWriteMs] = [300, 1_500, 4_000];

const config = {
  ...shopConfig,
  flows: [
    ...shopConfig.flows,
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
    },
  ],
};
const customer = (id: string, version: number): LabEvent => ({
  id,
  type: 'customer_synced',
  record: ['customer', 'a@shop.test'],
  payload: { customer: { email: 'a@shop.test', name: `v${version}` } },
});

describe('a write that takes effect after its call timed out', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const start = async (attempts: number): Promise<void> => {
    lab = await runnerLab(config, { crmTimeoutMs: timeoutMs, lateWriteMs, policy: { ...policy, attempts } });
    await lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: 'v1', delay_ms: landsMs, times: 1 });
    await lab.addRunner();
  };
  const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);
  const statuses = (): string[] => lab.rows().map(({ status }) => status);
  const written = async (): Promise<(string | null | undefined)[]> =>
    (await lab.records('contacts'))[0]!.write_log.map((entry) => entry.properties['firstname']);

  it('comes before the next event of the lane, also when its own event ended with its last attempt', async () => {
    await start(1);
    await lab.send([customer('evt_1', 1), customer('evt_2', 2)]);
    await until('the end waits', () =>
      lab.store.held().some(({ reason, ending }) => reason === 'late_write' && ending?.[0]?.status === 'parked'),
    );
    await settled(2);
    expect([statuses(), await written()]).toEqual([['parked', 'completed'], ['v1', 'v2']]);
    expect(lab.store.held()).toEqual([]);
  });

  it('comes before the next event of the lane, also when its own event completed with another attempt', async () => {
    await start(2);
    await lab.send([customer('evt_1', 1), customer('evt_2', 2)]);
    await settled(2);
    expect([statuses(), await written()]).toEqual([['completed', 'completed'], ['v1', 'v1', 'v2']]);
  });

  it('is waited for by the next owner too', async () => {
    await start(1);
    await lab.send([customer('evt_1', 1)]);
    await until('the end waits', () => lab.store.held().some(({ reason }) => reason === 'late_write'));
    await lab.runners[0]!.stop();
    await lab.addRunner();
    await lab.send([customer('evt_2', 2)]);
    await settled(2);
    expect([statuses(), await written()]).toEqual([['parked', 'completed'], ['v1', 'v2']]);
  });

  it('is not waited for when its call was answered with a failure', async () => {
    lab = await runnerLab(config, { lateWriteMs: 600_000, policy });
    await lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: 'v1', status: 503 });
    await lab.addRunner();
    await lab.send([customer('evt_1', 1), customer('evt_2', 2)]);
    await settled(2);
    expect(statuses()).toEqual(['parked', 'completed']);
  });
});
