import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const config: ConfigDocument = {
  version: '3.1',
  entities: [
    {
      name: 'person',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email', guard: { properties: ['firstname', 'lastname'], max_changed: 0 } },
          field_mappings: ['email', 'firstname', 'lastname', 'phone'].map(
            (name) => ({ source: `$.payload.${name}`, target: name }),
          ),
        },
      },
    },
  ],
  flows: [
    {
      name: 'people',
      source: 'event_api',
      event_type: 'person_synced',
      steps: [{ id: 'it', action: 'upsert', target: 'crm', entity: 'person' }],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
};

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const event = (id: string, acceptedAt: string, values: Record<string, string>): LabEvent => ({
  id, acceptedAt, type: 'person_synced', record: ['person', 'P1'], payload: { email: 'ada@shop.test', ...values },
});
const replayOf = (first: LabEvent, more: Partial<LabEvent> = {}): LabEvent =>
  ({ ...first, kind: 'replay', run: `replay of ${first.id}`, replayedAt: ago(0), ...more });

describe('a replay', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());
  const start = async (...given: [options?: Parameters<typeof runnerLab>[1]]): Promise<void> => {
    lab = await runnerLab(config, ...given);
    await lab.addRunner();
  };
  const settled = async (events: LabEvent[]): Promise<unknown> => {
    const before = lab.rows().length;
    await lab.send(events);
    await until(`${before + events.length} rows`, () => lab.rows().length >= before + events.length);
    const { status, reason, unit } = lab.rows().at(-1)!;
    return { status, reason, run: unit.run };
  };
  const phone = async (): Promise<unknown> => (await lab.records('contacts'))[0]!.properties['phone'];

  it('gives way to what is newer, and overwrites it when it is forced', async () => {
    await start();
    const old = event('evt_1', ago(2), { phone: '1' });
    await settled([old]);
    await settled([event('evt_2', ago(1), { phone: '2' })]);
    expect(await settled([replayOf(old)])).toEqual({ status: 'skipped', reason: 'superseded', run: 'replay of evt_1' });
    expect(await phone()).toBe('2');
    const forced = replayOf(old, { run: 'forced', forced: true });
    expect(await settled([forced])).toEqual({ status: 'completed', reason: null, run: 'forced' });
    expect(await phone()).toBe('1');
  });

  it('of what the identity guard quarantined passes it only when it is forced', async () => {
    await start();
    await settled([event('evt_1', ago(2), { firstname: 'Ada', lastname: 'Lovelace' })]);
    const stranger = event('evt_2', ago(1), { firstname: 'Bob', lastname: 'Builder' });
    expect(await settled([stranger])).toMatchObject({ status: 'quarantined' });
    expect(await settled([replayOf(stranger)])).toMatchObject({ status: 'quarantined' });
    expect(await settled([replayOf(stranger, { run: 'forced', forced: true })])).toMatchObject({ status: 'completed' });
    expect((await lab.records('contacts'))[0]!.properties).toMatchObject({ firstname: 'Bob' });
  });

  it('of an event that expired waits as long as any event, from when it was asked for', async () => {
    await start({ policy: { attempts: 5, waitsMs: [500], ceilingMs: 500, ttlMs: 3_600_000 } });
    const old = event('evt_1', ago(120), { phone: '1' });
    expect(await settled([old])).toMatchObject({ status: 'dlq', reason: 'expired' });
    const tooLate = replayOf(old, { run: 'long ago', replayedAt: ago(61) });
    expect(await settled([tooLate])).toMatchObject({ status: 'dlq', reason: 'expired' });
    expect(await settled([replayOf(old)])).toMatchObject({ status: 'completed' });
  });
});
