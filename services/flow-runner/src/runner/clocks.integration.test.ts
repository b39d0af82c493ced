import type { ConfigDocument, Flow, Step } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { bulkConfig } from '../test-support/bulk-config';
import { labConnector, runnerLab, type RunnerLab } from '../test-support/runner-lab';

const hour = 3_600_000;
const flow = (action: string): Flow => {
  const step: Step = { id: 'it', action, target: 'crm', entity: 'person' };
  return { name: action, source: 'event_api', event_type: action, steps: [step] };
};
const config: ConfigDocument = {
  ...bulkConfig,
  flows: [flow('create'), flow('upsert')],
  conflicts: { strategy: 'target_wins' },
};
const ada = { email: 'ada@shop.test', name: 'Ada' };

/** The clocks of a lab's runner differ: its monotonic clock starts at 0, and its wall clock can be set. */
describe('the clocks of a runner', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const start = async (firstWaitMs = 100): Promise<void> => {
    lab = await runnerLab(config, { policy: { attempts: 5, waitsMs: [firstWaitMs], ceilingMs: 2_000, ttlMs: 14 * 24 * hour } });
    await lab.addRunner();
  };
  /** The next call that writes contacts gets 503. */
  const refuseOnce = (): Promise<unknown> =>
    lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/(create|upsert)', status: 503, times: 1 });
  const rowOf = (id: string) => lab.rows().find(({ unit }) => unit.eventId === id);
  const ended = async (id: string) => {
    await until(`${id} has ended`, () => rowOf(id) !== undefined);
    return rowOf(id)!;
  };
  const hold = async (): Promise<void> => {
    await refuseOnce();
    await lab.send([{ id: 'evt_1', type: 'upsert', payload: ada }]);
    await until('the event is held', () => lab.store.held().length === 1);
  };

  it('do not make an older record of somebody else the record of a create that is tried again', async () => {
    await start();
    const portal = [...lab.simulator.state.portals.values()][0]!;
    const { store } = portal.space(portal.typeNamed('contacts')!);
    const older = { email: ada.email, firstname: ada.name };
    store.create('501', older, portal.now() - hour, { source: 'user' });
    await refuseOnce();
    await lab.send([{ id: 'evt_1', type: 'create', payload: ada }]);
    expect(await ended('evt_1')).toMatchObject({ status: 'skipped', reason: 'already_exists', crmId: '501', attempts: 2 });
    expect(await lab.store.mappings([{ connectorId: labConnector, entity: 'person', externalId: ada.email }])).toEqual([]);
  });

  it('date a conflict by the store', async () => {
    await start();
    await lab.send([{ id: 'evt_1', type: 'upsert', payload: ada }]);
    const { crmId } = await ended('evt_1');
    const edit = { portal_id: 1000001, object_type: 'contacts', action: 'update', id: crmId, user: '7' };
    await lab.sim('POST', '/_sim/edits', { ...edit, properties: { firstname: 'Countess' } });
    lab.setWallClock(30 * hour);
    await lab.send([{ id: 'evt_2', type: 'upsert', payload: { ...ada, name: 'Lady' } }]);
    await ended('evt_2');
    const { items } = await lab.store.conflicts.list(labConnector, { limit: 5 });
    expect(items).toHaveLength(1);
    expect(Math.abs(Date.parse(items[0]!.createdAt) - Date.now())).toBeLessThan(hour);
  });

  it('end a wait in its time when the wall clock is set back by an hour', async () => {
    await start(1_000);
    await hold();
    lab.setWallClock(-hour);
    expect(await ended('evt_1')).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('expire no held event when the wall clock is fifteen days ahead', async () => {
    await start(1_000);
    await hold();
    lab.setWallClock(15 * 24 * hour);
    expect(await ended('evt_1')).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('expire no event from the log when the wall clock is fifteen days ahead', async () => {
    await start();
    lab.setWallClock(15 * 24 * hour);
    await lab.send([{ id: 'evt_1', type: 'upsert', payload: ada }]);
    expect(await ended('evt_1')).toMatchObject({ status: 'completed', attempts: 1 });
  });
});
