import type { ConfigDocument, Conflicts } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { plainConfig, plainEntity, plainFlow, writingFlow } from '../test-support/plain-config';
import { labConnector, runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const guard = { properties: ['firstname', 'lastname'], max_changed: 1 };

/** A contact, unique in the CRM, which is guarded, and a company, which is not unique. */
const configWith = (conflicts: Conflicts | null): ConfigDocument => ({
  ...plainConfig(
    [
      plainEntity('person', 'contacts', ['email', 'firstname', 'lastname', 'city', 'phone'], { guard }),
      plainEntity('firm', 'companies', ['domain', 'name', 'city']),
    ],
    [
      ...['person', 'firm'].map((entity) => writingFlow(entity, 'upsert', entity)),
      ...['upsert_many', 'update_many'].map((action) =>
        plainFlow(action, { action, target: 'crm', entity: 'person', items: '$.payload.people' }),
      ),
      plainFlow('update_by_id', {
        action: 'update_by_id', target: 'crm', object_type: 'contacts', object_id: '$.payload.id',
        data: { city: '$.payload.city', phone: '$.payload.phone' },
      }),
      writingFlow('create', 'create', 'person'),
    ],
  ),
  ...(conflicts && { conflicts }),
});

describe('conflicts', () => {
  let lab: RunnerLab;
  let sent = 0;
  const start = async (conflicts: Conflicts | null): Promise<void> => {
    sent = 0;
    lab = await runnerLab(configWith(conflicts));
    await lab.addRunner();
  };
  afterEach(() => lab.stop());

  const runAll = async (type: string, payloads: Record<string, unknown>[], more: Partial<LabEvent> = {}) => {
    const events = payloads.map((payload, index) => ({ id: `evt_${sent + index}`, type, payload, ...more }));
    sent += events.length;
    await lab.send(events);
    await until(`${sent} rows`, () => lab.rows().length >= sent);
    return lab
      .rows()
      .slice(-events.length)
      .map(({ status, reason, crmId }) => ({ status, reason, crmId }));
  };
  const run = async (type: string, payload: Record<string, unknown>, more: Partial<LabEvent> = {}) =>
    (await runAll(type, [payload], more))[0]!;
  /** By a person. */
  const edit = (object_type: string, id: string, properties: Record<string, string>): Promise<unknown> =>
    lab.sim('POST', '/_sim/edits', { portal_id: 1000001, object_type, action: 'update', id, properties, user: '7' });
  const valuesOf = async (objectType: string) => (await lab.records(objectType))[0]!.properties;
  const conflicts = async () => (await lab.store.conflicts.list(labConnector, { limit: 50 })).items;
  const calls = async (path: string): Promise<number> => (await lab.sim('GET', `/_sim/calls?path=${path}`)).items.length;
  const ada = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace', city: 'Rome', phone: '1' };

  it('source_wins, which is the default, looks at nothing and records nothing', async () => {
    await start(null);
    const { crmId } = await run('person', ada);
    await edit('contacts', crmId!, { city: 'Bonn' });
    expect(await run('person', { ...ada, city: 'Oslo' })).toMatchObject({ status: 'completed' });
    expect([(await valuesOf('contacts'))['city'], await conflicts(), await calls('introspect')]).toEqual(['Oslo', [], 0]);
  });

  it('target_wins keeps a property that was last edited in the CRM, writes the others, and records it', async () => {
    await start({ strategy: 'target_wins' });
    const { crmId } = await run('person', ada);
    await edit('contacts', crmId!, { city: 'Bonn' });
    expect(await run('person', { ...ada, city: 'Oslo', phone: '2' })).toMatchObject({ status: 'completed', crmId });
    expect(await valuesOf('contacts')).toMatchObject({ city: 'Bonn', phone: '2' });
    expect(await conflicts()).toMatchObject([
      {
        entityName: 'person',
        externalId: 'ada@example.com',
        crmId,
        property: 'city',
        sourceValue: 'Oslo',
        targetValue: 'Bonn',
        targetModifiedAt: expect.any(String),
        targetModifiedBy: '7',
        winner: 'target',
      },
    ]);
  });

  it('skips a write of which nothing is left, and one that changes nothing; no older event comes after it', async () => {
    await start({ strategy: 'target_wins' });
    const old = new Date(Date.now() - 60_000).toISOString();
    const { crmId } = await run('person', ada, { acceptedAt: old });
    await edit('contacts', crmId!, { city: 'Bonn' });
    expect(await run('person', { ...ada, city: 'Oslo' })).toMatchObject({ status: 'skipped', reason: 'target_wins', crmId });
    expect(await run('person', { ...ada, city: 'Bonn' })).toMatchObject({ status: 'skipped', reason: 'unchanged', crmId });
    const replay = { kind: 'replay', run: 'again', acceptedAt: old, replayedAt: new Date().toISOString() } as const;
    expect(await run('person', { ...ada, phone: '9' }, replay)).toMatchObject({ status: 'skipped', reason: 'superseded' });
  });

  it('most_recent compares with when the source changed its record, else with the time of the event', async () => {
    await start({ strategy: 'most_recent', source_modified_path: '$.payload.changed_at' });
    const { crmId } = await run('person', ada);
    await edit('contacts', crmId!, { city: 'Bonn' });
    await run('person', { ...ada, city: 'Oslo', changed_at: new Date(Date.now() - 600_000).toISOString() });
    expect(await valuesOf('contacts')).toMatchObject({ city: 'Bonn' });
    await run('person', { ...ada, city: 'Oslo' });
    expect(await valuesOf('contacts')).toMatchObject({ city: 'Oslo' });
    expect((await conflicts()).map(({ winner }) => winner).sort()).toEqual(['source', 'target']);
  });

  it('holds for a record that is found by search, and an entity may have its own strategy', async () => {
    await start({ strategy: 'source_wins', entities: { firm: { strategy: 'target_wins' } } });
    const created = { portal_id: 1000001, object_type: 'companies', action: 'create' };
    await lab.sim('POST', '/_sim/edits', { ...created, properties: { domain: 'example.com', name: 'Example', city: 'Bonn' } });
    expect(await run('firm', { domain: 'example.com', name: 'Another', city: 'Bonn' })).toMatchObject({ status: 'skipped' });
    expect(await valuesOf('companies')).toMatchObject({ name: 'Example' });
    await run('person', ada);
    expect((await conflicts()).map(({ property }) => property)).toEqual(['name']);
  });

  describe('through bulk actions', () => {
    const bob = { ...ada, email: 'bob@example.com', firstname: 'Bob' };
    const people = async () =>
      Object.fromEntries((await lab.records('contacts')).map(({ properties }) => [properties['email'], properties['city']]));
    /** Ada's city was edited in the CRM, Bob's was not. */
    const startEdited = async (policy: Conflicts): Promise<string> => {
      await start(policy);
      const { crmId } = await run('person', ada);
      await run('person', bob);
      await edit('contacts', crmId!, { city: 'Bonn' });
      return crmId!;
    };
    /** The rows of the items of an event. */
    const items = async (action: string, list: object[], id = `evt_${action}`) => {
      const before = lab.rows().length;
      await lab.send([{ id, type: action, payload: { people: list } }]);
      await until('the items have rows', () => lab.rows().length >= before + list.length);
      return lab.rows().slice(before).map(({ externalId, status, reason }) => [externalId, status, reason]);
    };
    const changed = (person: object, more: object = {}): object => ({ ...person, city: 'Oslo', ...more });

    it.each(['upsert_many', 'update_many'])('%s: source_wins writes every item and records nothing', async (action) => {
      await startEdited({ strategy: 'source_wins' });
      await items(action, [changed(ada), changed(bob)]);
      expect([await people(), await conflicts()]).toEqual([{ 'ada@example.com': 'Oslo', 'bob@example.com': 'Oslo' }, []]);
    });

    it.each(['upsert_many', 'update_many'])('%s: target_wins arbitrates each item by itself, in one read', async (action) => {
      await startEdited({ strategy: 'target_wins' });
      const reads = await calls('batch/read');
      expect(await items(action, [changed(ada), changed(bob)])).toEqual([
        ['ada@example.com', 'skipped', 'target_wins'],
        ['bob@example.com', 'completed', null],
      ]);
      expect(await calls('batch/read')).toBe(reads + 1);
      expect(await people()).toEqual({ 'ada@example.com': 'Bonn', 'bob@example.com': 'Oslo' });
      expect(await conflicts()).toMatchObject([{ externalId: 'ada@example.com', property: 'city', winner: 'target' }]);
    });

    it.each(['upsert_many', 'update_many'])('%s: most_recent compares each item with its own time', async (action) => {
      await startEdited({ strategy: 'most_recent', source_modified_path: '$.payload.changed_at' });
      const [before, after] = [-600_000, 600_000].map((ms) => new Date(Date.now() + ms).toISOString());
      await items(action, [changed(ada, { changed_at: before }), changed(bob, { changed_at: before })]);
      expect(await people()).toEqual({ 'ada@example.com': 'Bonn', 'bob@example.com': 'Oslo' });
      // A conflict is stored with the outcome, after the write: only the row shows that it is there.
      await items(action, [changed(ada, { changed_at: after })], 'evt_later');
      expect(await people()).toMatchObject({ 'ada@example.com': 'Oslo' });
      expect((await conflicts()).map(({ winner }) => winner).sort()).toEqual(['source', 'target']);
    });

    it('update_by_id follows the strategy of the entity that has the object type; create has nothing to arbitrate', async () => {
      const crmId = await startEdited({ strategy: 'target_wins' });
      expect(await run('update_by_id', { id: crmId, city: 'Oslo' })).toMatchObject({ status: 'skipped', reason: 'target_wins' });
      expect(await run('update_by_id', { id: crmId, city: 'Oslo', phone: '2' })).toMatchObject({ status: 'completed', crmId });
      const person = (await lab.records('contacts')).find(({ id }) => id === crmId)!;
      expect(person.properties).toMatchObject({ city: 'Bonn', phone: '2' });
      expect(await run('create', { ...ada, city: 'Oslo' })).toMatchObject({ status: 'skipped', reason: 'already_mapped' });
      expect(await conflicts()).toMatchObject([
        { entityName: 'person', property: 'city', winner: 'target' },
        { entityName: 'person', property: 'city', winner: 'target' },
      ]);
    });
  });

  it('updates the record it has seen when it writes a part of what an upsert by email brings', async () => {
    await start({ strategy: 'target_wins' });
    const created = { portal_id: 1000001, object_type: 'contacts', action: 'create' };
    const { phone: _absent, ...person } = ada;
    await lab.sim('POST', '/_sim/edits', { ...created, properties: { ...person, city: 'Bonn' } });
    expect(await run('person', ada)).toMatchObject({ status: 'completed' });
    expect(await valuesOf('contacts')).toMatchObject({ city: 'Bonn', phone: '1' });
    expect([await calls('batch/upsert'), await calls('batch/update')]).toEqual([0, 1]);
  });

  it('all policies together cost one read per batch of writes', async () => {
    await start({ strategy: 'most_recent', per_property_freshness: true });
    const people = Array.from({ length: 60 }, (_, index) => ({ ...ada, email: `p${index}@example.com`, phone: `${index}` }));
    await runAll('person', people);
    const [reads, writes] = [await calls('batch/read'), (await calls('batch/upsert')) + (await calls('batch/update'))];
    // Records that bring other properties, guarded and arbitrated: still one call.
    await runAll(
      'person',
      people.map(({ email, phone }, index) => (index % 2 ? { email, city: 'Oslo' } : { email, phone, lastname: 'B' })),
    );
    const more = [await calls('batch/read'), (await calls('batch/upsert')) + (await calls('batch/update'))];
    expect(more[1]! - writes).toBeGreaterThan(0);
    expect(more[0]! - reads).toBeLessThanOrEqual(more[1]! - writes);
    expect(await calls('introspect')).toBeLessThanOrEqual(1);
  });
});
