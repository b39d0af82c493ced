import type { ConnectorChange, OrganizationState } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { labConnector, order } from '../test-support/runner-lab';
import { partitionTests } from './test-support/partition-tests';
import { config, customer, lab, orderOnly, settled, startLab, statuses, written, upserts } from './test-support/shop-lab';

describe('flow runner on twins and a real simulator', () => {
  afterEach(() => lab.stop());

  it('turns orders into contacts, deals and associations in batches, without a duplicate', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.send(Array.from({ length: 300 }, (_, index) => order(`evt_${index}`, `N${index % 250}`, `c${index % 40}`)));
    await settled(300);
    expect(statuses()).toEqual({ completed: 300 });
    const [contacts, deals] = [await lab.records('contacts'), await lab.records('deals')];
    expect(contacts).toHaveLength(40);
    expect(deals).toHaveLength(250);
    expect(new Set(deals.map((deal) => deal.properties['description'])).size).toBe(250);
    expect(deals.every((deal) => deal.associations.some((link) => link.to_object_type === 'contacts'))).toBe(true);
    const { calls } = await lab.sim('GET', '/_sim/stats?portal_id=1000001');
    expect(calls).toBeLessThan(150);
  });

  it('writes the events of one record in the order of the log', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.send(Array.from({ length: 200 }, (_, index) => customer(`evt_${index}`, `c${index % 5}@shop.test`, index)));
    await settled(200);
    for (let record = 0; record < 5; record += 1) {
      expect(await written(`c${record}@shop.test`)).toEqual(Array.from({ length: 40 }, (_, turn) => `v${turn * 5 + record}`));
    }
  });

  it('holds a failing lane in order, lets other lanes run, and goes live again', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: 'slow@shop.test', status: 503, times: 2 });
    await lab.send([
      customer('evt_1', 'slow@shop.test', 1),
      customer('evt_2', 'slow@shop.test', 2),
      customer('evt_3', 'slow@shop.test', 3),
    ]);
    await until('the lane is held', () => lab.store.held().length > 0);
    await lab.send([customer('evt_4', 'slow@shop.test', 4), customer('evt_5', 'fast@shop.test', 1)]);
    await until('the other lane passed', () => lab.rows().some((row) => row.externalId === 'fast@shop.test'));
    await settled(5);
    expect(statuses()).toEqual({ completed: 5 });
    expect(await written('slow@shop.test')).toEqual(['v1', 'v2', 'v3', 'v4']);
    expect(lab.store.held()).toEqual([]);
    await lab.send([customer('evt_6', 'slow@shop.test', 6)]);
    await settled(6);
    expect(await written('slow@shop.test')).toEqual(['v1', 'v2', 'v3', 'v4', 'v6']);
  });

  it('parks an event that fails five times without writing, and never retries a permanent refusal', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: 'dead@shop.test', status: 500 });
    const mates = Array.from({ length: 20 }, (_, index) => customer(`evt_mate${index}`, `mate${index}@shop.test`, 1));
    await lab.send([customer('evt_1', 'dead@shop.test', 1), ...mates]);
    await settled(21);
    expect(statuses()).toEqual({ completed: 20, parked: 1 });
    await lab.send([customer('evt_2', 'not an address', 1)]);
    await settled(22);
    const [dead, refused] = [
      lab.rows().find((row) => row.externalId === 'dead@shop.test')!,
      lab.rows().find((row) => row.externalId === 'not an address')!,
    ];
    expect(dead).toMatchObject({ status: 'parked', attempts: 5, errorKind: 'transient', replayable: true });
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, errorKind: 'permanent' });
    const { total } = await lab.sim('GET', `/_sim/calls?path=${encodeURIComponent(upserts)}`);
    expect(total).toBeGreaterThanOrEqual(5);
  });

  it('honours Retry-After', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', {
      path: upserts,
      status: 429,
      headers: { 'Retry-After': '1' },
      body: { status: 'error', message: 'slow down', policyName: 'SECONDLY' },
      times: 1,
    });
    const before = Date.now();
    await lab.send([customer('evt_1', 'c@shop.test', 1)]);
    await settled(1);
    expect(Date.now() - before).toBeGreaterThanOrEqual(1_000);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('waits for a record that does not exist yet and links it then, without overwriting newer values', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.send([orderOnly('evt_1', 'N1', 'late@shop.test', 'old')]);
    await until('set aside', () => lab.store.held().some((held) => held.reason === 'counterpart'));
    await lab.send([orderOnly('evt_2', 'N1', null, 'new'), customer('evt_3', 'late@shop.test', 1)]);
    await settled(3);
    expect(statuses()).toEqual({ completed: 3 });
    const deal = (await lab.records('deals'))[0]!;
    expect(deal.properties['dealname']).toBe('new');
    expect(deal.associations).toHaveLength(1);
  });

  it('ends an association whose record never comes as partial success', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.send([orderOnly('evt_1', 'N1', 'never@shop.test', 'x')]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({
      status: 'partial_success',
      attempts: 5,
      errorCode: 'related_record_not_synced',
      replayable: true,
    });
  });

  const inState = (state: OrganizationState): Partial<ConnectorChange> =>
    ({ organization: { tier: 'enterprise', state, per_record_ordering: false, limits: {} } });
  it.each<[string, Partial<ConnectorChange>, Partial<ConnectorChange>, string]>([
    ['a paused connector', { status: 'paused' }, { status: 'active' }, 'paused'],
    ['a suspended organization', inState('suspended'), inState('active'), 'organization_stopped'],
    ['a closing organization', inState('closing'), inState('active'), 'organization_stopped'],
  ])('keeps every event of %s and runs them in order when it is active again', async (_name, stopped, active, reason) => {
    await startLab(config);
    await lab.addRunner();
    await lab.change(stopped);
    await lab.send(Array.from({ length: 50 }, (_, index) => customer(`evt_${index}`, 'p@shop.test', index)));
    await until('all held', () => lab.store.held().length === 50);
    expect(new Set(lab.store.held().map((held) => held.reason))).toEqual(new Set([reason]));
    expect(await lab.records('contacts')).toEqual([]);
    await lab.change(active);
    await settled(50);
    expect(await written('p@shop.test')).toEqual(Array.from({ length: 50 }, (_, index) => `v${index}`));
    expect(lab.store.held()).toEqual([]);
  });

  it('refreshes an expired token once and repeats the call', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', {
      path: upserts,
      status: 401,
      body: { status: 'error', category: 'EXPIRED_AUTHENTICATION', message: 'expired' },
      times: 1,
    });
    await lab.send([customer('evt_1', 'c@shop.test', 1)]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed', attempts: 1 });
    const { total } = await lab.sim('GET', `/_sim/calls?path=${encodeURIComponent('/oauth/v1/token')}`);
    expect(total).toBe(1);
  });

  it('holds the flow of a lane when the CRM refuses a permission, without using up attempts', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', {
      path: upserts,
      status: 403,
      body: { status: 'error', category: 'MISSING_SCOPES', message: 'scopes' },
      times: 7,
    });
    await lab.send([customer('evt_1', 'c@shop.test', 1)]);
    await until('held as fatal', () => lab.store.held().some((held) => held.reason === 'fatal'));
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed', attempts: 1 });
  });

  it('creates no second record when the answer to a create is lost and the search index lags', async () => {
    await startLab(config, { searchLagMs: 1_500 });
    await lab.sim('PATCH', '/_sim/portals/1000001', { search_lag_ms: 1_200 });
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', {
      path: '/crm/v3/objects/deals/batch/create',
      after_write: true,
      drop: true,
      times: 1,
    });
    await lab.send([order('evt_1', 'N1', 'a'), order('evt_2', 'N2', 'b'), order('evt_3', 'N1', 'a')]);
    await settled(3);
    expect(statuses()).toEqual({ completed: 3 });
    const deals = await lab.records('deals');
    expect(deals.map((deal) => deal.properties['description']).sort()).toEqual(['N1', 'N2']);
  });

  it('drops a repeat of an event, also under the id of another day, and skips an event without a flow', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.send([
      customer('evt_1', 'c@shop.test', 1),
      customer('evt_1', 'c@shop.test', 1),
      { id: 'evt_2', type: 'nobody.cares', payload: {} },
    ]);
    await settled(2);
    await lab.send([
      customer('evt_1', 'c@shop.test', 1),
      customer('evt_3', 'c@shop.test', 3),
      { ...customer('evt_next', 'c@shop.test', 1), aliases: ['evt_3'] },
      customer('evt_4', 'c@shop.test', 4),
    ]);
    await settled(4);
    expect(await written('c@shop.test')).toEqual(['v1', 'v3', 'v4']);
    expect(lab.rows().find((row) => row.unit.eventId === 'evt_2')).toMatchObject({
      status: 'skipped',
      reason: 'no_flow_matched',
    });
  });

  it('overwrites nothing newer when an event is replayed', async () => {
    await startLab(config);
    await lab.addRunner();
    await lab.send([customer('evt_1', 'c@shop.test', 1), customer('evt_2', 'c@shop.test', 2)]);
    await settled(2);
    await lab.change({ active_version: 1 });
    const old = new Date(Date.now() - 60_000).toISOString();
    await lab.send([{ ...customer('evt_1', 'c@shop.test', 1), kind: 'replay', run: 'replay-1', acceptedAt: old }]);
    await settled(3);
    expect(lab.rows().at(-1)).toMatchObject({ status: 'skipped', reason: 'superseded', connectorId: labConnector });
    expect(await written('c@shop.test')).toEqual(['v1', 'v2']);
  });

  partitionTests();
});
