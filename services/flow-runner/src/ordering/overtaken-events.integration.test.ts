import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, shopConfig, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const upserts = '/crm/v3/objects/contacts/batch/upsert';
const saveCustomer = { id: 'save', action: 'upsert', target: 'crm', entity: 'customer' };

/** Two flows that write customers, so that events of one lane have different flows. */
const config: ConfigDocument = {
  ...shopConfig,
  flows: ['signup', 'profile'].map((name) => ({ name, source: 'event_api', event_type: `${name}.saved`, steps: [saveCustomer] })),
};
/** An event of the connector's lane. */
const saved = (flow: 'signup' | 'profile', version: number, email = 'a@shop.test'): LabEvent =>
  ({ id: `evt_${version}`, type: `${flow}.saved`, payload: { customer: { email, name: `v${version}` } } });

describe('an event that later events of its lane overtake', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const written = async (): Promise<(string | null | undefined)[]> => {
    const [record] = await lab.records('contacts');
    return record!.write_log.map((entry) => entry.properties['firstname']);
  };
  const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);
  const outcomes = (): Record<string, string> =>
    Object.fromEntries(lab.rows().map(({ unit, status, reason }) => [unit.eventId, reason ?? status]));
  const refuse = (text: string, status: number, times: number): Promise<unknown> =>
    lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: text, status, times });

  it('blocks only its own flow: later events of other flows stay in order', async () => {
    lab = await runnerLab(config, { policy: { attempts: 5, waitsMs: [600_000], ceilingMs: 600_000, ttlMs: 1_209_600_000 } });
    await lab.addRunner();
    await refuse('v1', 403, 1);
    await lab.send([saved('signup', 1), saved('signup', 2), saved('profile', 3), saved('profile', 4)]);
    await settled(2);
    expect(outcomes()).toEqual({ evt_3: 'completed', evt_4: 'completed' });
    const held = lab.store.held().map(({ unit, scope }) => [unit.eventId, scope.kind === 'flow' && scope.flowName]);
    expect(held).toEqual([['evt_1', 'signup'], ['evt_2', 'signup']]);
    expect(await written()).toEqual(['v3', 'v4']);
  });

  it('overwrites nothing of theirs when it runs at last', async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
    await refuse('v1', 403, 1);
    await lab.send([saved('signup', 1), saved('signup', 2), saved('profile', 3)]);
    await settled(3);
    expect(outcomes()).toEqual({ evt_1: 'superseded', evt_2: 'superseded', evt_3: 'completed' });
    expect(await written()).toEqual(['v3']);
  });

  it('creates no record after a newer deletion that found nothing to delete', async () => {
    const steps = { make: 'create', remove: 'delete' } as const;
    const flows = Object.entries(steps).map(([name, action]) => ({
      name,
      source: 'event_api',
      event_type: `customer.${name}`,
      steps: [{ id: 'step', action, target: 'crm', entity: 'customer' }],
    }));
    lab = await runnerLab({ ...shopConfig, flows });
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { path: '/crm/v3/objects/contacts', body_contains: 'Ada', status: 403, times: 1 });
    const payload = { customer: { email: 'a@shop.test', name: 'Ada' } };
    await lab.send([{ id: 'evt_1', type: 'customer.make', payload }, { id: 'evt_2', type: 'customer.remove', payload }]);
    await settled(2);
    expect(outcomes()).toEqual({ evt_1: 'superseded', evt_2: 'record_not_found' });
    expect(await lab.records('contacts')).toEqual([]);
    // The claim of evt_1 is old enough to be taken over.
    lab.passStoreTime(600_000);
    await lab.send([{ id: 'evt_3', type: 'customer.make', payload }]);
    await settled(3);
    expect(outcomes()).toMatchObject({ evt_3: 'completed' });
  });

  it('overwrites nothing of its convoy when a newer version makes it write their record', async () => {
    const [customer, main] = [{ email: 'other@shop.test', name: 'v1' }, { email: 'a@shop.test', name: 'v1' }];
    const entities = config.entities.map((entity) => ({ ...entity, payload_root: '$.payload.main' }));
    lab = await runnerLab(config, { policy: { attempts: 5, waitsMs: [3_000], ceilingMs: 4_000, ttlMs: 1_209_600_000 } });
    await lab.addRunner();
    // First and second attempt together with the other event, third alone.
    await refuse('v1', 500, 3);
    await lab.send([{ id: 'evt_1', type: 'signup.saved', payload: { customer, main } }, saved('profile', 2)]);
    await settled(1);
    await lab.publish({ ...config, entities });
    await settled(2);
    expect(outcomes()).toEqual({ evt_1: 'superseded', evt_2: 'completed' });
    expect(await written()).toEqual(['v2']);
  });
});
