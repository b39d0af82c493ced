import type { FlowIndexEntry, Source } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { type PollerLab, startPollerLab } from '../test-support/poller-lab';

let lab: PollerLab;
beforeAll(async () => { lab = await startPollerLab({ SLUICE_JOURNAL_POLL: '0.1' }); });
afterAll(() => lab.stop());

const changes = (config: Record<string, unknown> = {}): Source => ({ name: 'changes', type: 'crm', config });
const contacts = { triggers: [{ object_type: 'contacts' }] };
type Connector = Awaited<ReturnType<typeof lab.connector>>;

const edit = async (portalId: number, action: string, more: object = {}): Promise<{ id: string }> => {
  const answer = await fetch(`${lab.crmUrl}/_sim/edits`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ portal_id: portalId, object_type: 'contacts', action, ...more }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { id: string };
};
const expire = (before: string) => fetch(`${lab.crmUrl}/_sim/journal/expire`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ before }),
});
const types = (connector: Connector): string[] => connector.events().map(({ event_type: type }) => type);

/** A connector that is bound to a portal of its own whose changes are subscribed to. */
async function start(config: Record<string, unknown> = contacts, flows: FlowIndexEntry[] = []) {
  const connector = await lab.connector();
  const portal = await connector.bind();
  await connector.publishFlows(flows, changes(config));
  const subscribed = () => [...lab.simulator.state.journal.subscriptions.values()].some(({ portalId }) => portalId === portal);
  await until('it is subscribed', subscribed);
  return { connector, portal };
}

test('a change is an event with the entry, the record and the names of what changed', async () => {
  const { connector, portal } = await start({ ...contacts, enrich_properties: { contacts: ['email', 'firstname'] } });
  const { id } = await edit(portal, 'create', { properties: { email: 'ada@x.example', firstname: 'Ada' } });
  await until('it is read', () => connector.events().length === 1);
  await edit(portal, 'update', { id, properties: { city: 'Rome' } });
  await until('it is read', () => connector.events().length === 2);
  expect(connector.events()).toMatchObject([
    {
      event_type: '0-1.create', external_id: id, source_type: 'crm', source_name: 'changes',
      payload: {
        event: { action: 'CREATE' },
        object: { id, type: '0-1', properties: { email: 'ada@x.example', firstname: 'Ada' } },
      },
    },
    {
      event_type: '0-1.update',
      payload: {
        event: { action: 'UPDATE', propertyChanges: { city: 'Rome' } }, changed: ['city'],
        object: { id, properties: { city: 'Rome', email: 'ada@x.example', firstname: 'Ada' } },
      },
    },
  ]);
  expect(await connector.source('changes')).toMatchObject({
    cursor: expect.any(String), lastError: null, lastPollAt: expect.any(Date), lastEventAt: expect.any(Date),
  });
});

test('a merge is the deletion of the loser and a change of the winner', async () => {
  const { connector, portal } = await start();
  const winner = await edit(portal, 'create', { properties: { email: 'w@x.example' } });
  const loser = await edit(portal, 'create', { properties: { email: 'l@x.example' } });
  await edit(portal, 'merge', { id: winner.id, merge_id: loser.id });
  await edit(portal, 'delete', { id: winner.id });
  await until('all is read', () => connector.events().length === 5);
  expect(connector.events().map(({ event_type: type, external_id: id }) => [type, id])).toEqual([
    ['0-1.create', winner.id], ['0-1.create', loser.id], ['0-1.delete', loser.id], ['0-1.update', winner.id],
    ['0-1.delete', winner.id],
  ]);
  expect(connector.payloads()[2]).toMatchObject({ event: { action: 'MERGE', objectId: loser.id }, object: { id: loser.id } });
});

test('triggers say which types, actions and properties count', async () => {
  const { connector, portal } = await start({
    triggers: [{ object_type: '0-1', actions: ['update'], properties: ['city', 'phone'] }],
  });
  const { id } = await edit(portal, 'create', { properties: { email: 't@x.example' } });
  await edit(portal, 'update', { id, properties: { firstname: 'Ada' } });
  await edit(portal, 'update', { id, properties: { city: 'Rome' } });
  await until('it is read', () => connector.events().length > 0);
  expect(connector.payloads()).toMatchObject([{ changed: ['city'] }]);
});

test('without triggers the event types of the flows count', async () => {
  const flow = { name: 'f', source: 'changes', source_type: 'crm', event_type: '0-1.delete', enabled: true } as const;
  const { connector, portal } = await start({}, [flow]);
  const { id } = await edit(portal, 'create', { properties: { email: 'f@x.example' } });
  await edit(portal, 'delete', { id });
  await until('it is read', () => connector.events().length > 0);
  expect(types(connector)).toEqual(['0-1.delete']);
});

test('each connector gets the changes of its own portal, also while it is paused; none while its source is off', async () => {
  const one = await start();
  const other = await start();
  await one.connector.setStatus('paused');
  await edit(one.portal, 'create', { properties: { email: '1@x.example' } });
  await until('it is read', () => one.connector.events().length === 1);
  // A read under way knows the source as it was when the read began.
  await lab.stopReading();
  await one.connector.enable('changes', false);
  await lab.restart();
  await edit(one.portal, 'create', { properties: { email: '2@x.example' } });
  await edit(other.portal, 'create', { properties: { email: '3@x.example' } });
  await until('it is read', () => other.connector.events().length === 1);
  expect([one.connector.events().length, other.connector.events().length]).toEqual([1, 1]);
});

test('while its organization is suspended or closing its changes are kept, each once and in order', async () => {
  const { connector, portal } = await start();
  const { id } = await edit(portal, 'create', { properties: { city: 'c0' } });
  /** A read under way knows the organization as it was when the read began. */
  const changedIn = async (setState: () => Promise<void>, city: string): Promise<void> => {
    await lab.stopReading();
    await setState();
    await lab.restart();
    await edit(portal, 'update', { id, properties: { city } });
    await until(`${city} is read`, () => cities().includes(city));
  };
  const cities = (): string[] => connector.payloads().map((payload) => (payload as {
    object: { properties: { city: string } } }).object.properties.city);
  await until('it is read', () => connector.events().length === 1);
  await changedIn(() => connector.organizationIs('suspended'), 'c1');
  await changedIn(() => connector.organizationIs('active'), 'c2');
  await changedIn(() => connector.organizationIs('closing'), 'c3');
  await changedIn(() => connector.reopen(), 'c4');
  expect(cities()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
});

test('a closed organization keeps no changes, and nothing of it is subscribed to', async () => {
  const [closed, other] = [await start(), await start()];
  await closed.connector.organizationIs('closed');
  const portals = () => [...lab.simulator.state.journal.subscriptions.values()].map(({ portalId }) => portalId);
  await until('the subscriptions end', () => !portals().includes(closed.portal));
  await edit(closed.portal, 'create', { properties: { email: 'closed@x.example' } });
  await edit(other.portal, 'create', { properties: { email: 'other@x.example' } });
  await until('it is read', () => other.connector.events().length === 1);
  expect(closed.connector.events()).toEqual([]);
});

test('after a rebind the new portal is read from its present on, and only that one is subscribed to', async () => {
  const portals = () => [...lab.simulator.state.journal.subscriptions.values()].map(({ portalId }) => portalId);
  const other = await start();
  const { connector, portal } = await start();
  await edit(portal, 'create', { properties: { email: 'old@x.example' } });
  await until('it is read', () => connector.events().length === 1);
  const rebound = await connector.bind();
  const { id } = await edit(rebound, 'create', { properties: { email: 'unsubscribed@x.example' } });
  await until('it is subscribed', () => portals().includes(rebound) && !portals().includes(portal));
  expect(portals()).toContain(other.portal);
  await edit(portal, 'create', { properties: { email: 'left@x.example' } });
  await edit(rebound, 'update', { id, properties: { city: 'Rome' } });
  await until('it is read', () => connector.events().length >= 2);
  expect(connector.events()[1]).toMatchObject({ event_type: '0-1.update', external_id: id });
});

test('a portal that others read already is read from the moment of the binding on', async () => {
  const { connector: first, portal } = await start();
  await lab.stopReading();
  await edit(portal, 'create', { properties: { email: 'before@x.example' } });
  const second = await lab.connector();
  await second.bindTo(portal);
  await second.publishFlows([], changes(contacts));
  await edit(portal, 'create', { properties: { email: 'after@x.example' } });
  await lab.restart();
  await until('all is read', () => first.events().length === 2 && second.events().length > 0);
  const emails = second.payloads().map((payload) => (payload as {
    object: { properties: { email: string } } }).object.properties.email);
  expect(emails).toEqual(['after@x.example']);
});

test('a process that is restarted goes on where it was: nothing is missed, and nothing is a second event', async () => {
  const { connector, portal } = await start();
  for (let at = 0; at < 60; at += 1) {
    await edit(portal, 'create', { properties: { email: `r${at}@x.example` } });
    if (at % 20 === 10) await lab.restart();
  }
  await until('all is read', () => new Set(connector.events().map(({ external_id: id }) => id)).size === 60);
  expect(new Set(connector.events().map(({ event_id: id }) => id)).size).toBe(60);
});

test('a lost place is the last error until somebody confirms it; reading goes on at the end', async () => {
  const { connector, portal } = await start();
  await edit(portal, 'create', { properties: { email: 'before@x.example' } });
  await until('it is read', () => connector.events().length === 1);
  await expire(new Date(Date.now() + 60_000).toISOString());
  await until('it is told', async () => (await connector.source('changes')).lastError === 'journal_offset_expired');
  await edit(portal, 'create', { properties: { email: 'after@x.example' } });
  await until('it is read', () => connector.events().length === 2);
  expect((await connector.source('changes')).lastError).toBe('journal_offset_expired');
  await connector.clearError('changes');
  const { lastPollAt } = await connector.source('changes');
  await connector.read('changes', lastPollAt);
  expect((await connector.source('changes')).lastError).toBeNull();
});

test('a journal that cannot be read is the last error of every source of it, and is read on afterwards', async () => {
  const { connector, portal } = await start();
  const fault = await (await fetch(`${lab.crmUrl}/_sim/faults`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'webhooks-journal/journal', status: 503 }),
  })).json() as { fault_id: string };
  await until('it is told', async () => ((await connector.source('changes')).lastError ?? '').includes('cannot be read'));
  await edit(portal, 'create', { properties: { email: 'later@x.example' } });
  await fetch(`${lab.crmUrl}/_sim/faults/${fault.fault_id}`, { method: 'DELETE' });
  await until('it is read', () => connector.events().length === 1);
  await until('it is told', async () => (await connector.source('changes')).lastError === null);
});
