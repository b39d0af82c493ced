import { type KeyValue, KeyValueUnavailable, type Mapping, monotonicClock, StoreUnavailable } from '@sluice/ports';
import { answered, fakeSession } from './test-support/fake-session';
import { positionAt, testContext } from './test-support/test-context';
import { turns } from '@sluice/ports/testing';
import { createActivity } from './batching/activity';
import { createMappingLookup } from './state/mapping-lookup';
import { createPortalBudget } from './session/portal-budget';
import { createPropertyCatalog } from './session/property-catalog';
import { createAssociationTypes } from './session/association-types';

const row: Mapping = {
  connectorId: 'c',
  entity: 'order',
  externalId: 'A1',
  portalId: 'portal',
  objectType: 'deals',
  crmId: '77',
  bindingEpoch: 1,
  position: positionAt(2n),
};
/** Regression tests for defects that occurred. */
describe('the writer under trouble', () => {
/** An event's guarded read of a mapping, during which a newer event's write lands. */
async function readWhileNewerLands() {
  let answer!: (rows: Mapping[]) => void;
  const activity = createActivity();
  const mappings = (): Promise<Mapping[]> => new Promise((resolve) => { answer = resolve; });
  const store = { mappings, haveNewerRemovals: () => Promise.resolve([]) };
  const lookup = createMappingLookup(store, { activity, remembered: 10, monotonicNow: monotonicClock(() => 0) });
  activity.enter();
  const asked = Promise.resolve(lookup.find(testContext(5n, { guarded: true }), 'order', 'A1'));
  const found = asked.finally(() => activity.leave());
  await turns();
  lookup.save(testContext(9n), { entity: 'order', externalId: 'A1', objectType: 'deals', crmId: '77' }, true);
  answer([row]);
  return { lookup, found: await found };
}
it('does not forget a write that happened during a read', async () => {
  expect((await readWhileNewerLands()).found?.position?.offset).toBe(9n);
});
it('knows that an event is outdated by a write that happened during its read', async () => {
  const { lookup } = await readWhileNewerLands();
  expect(lookup.outdated(testContext(5n), 'order', 'A1')).toBe(true);
});
it('starts searches without the key-value store, with any number of runners', async () => {
  let at = 0;
  const budget = createPortalBudget({
    kv: {
      takeTokens: () => Promise.reject(new KeyValueUnavailable('x')),
      capTokens: () => Promise.resolve(),
    } as Partial<KeyValue> as KeyValue,
    monotonicNow: monotonicClock(() => at),
    sharers: () => 5,
  });
  budget.refused('p', 'search', 1000);
  let wait = 1; for (let i = 0; i < 50 && wait > 0; i += 1) { wait = await budget.take('p', 'search', 'live'); at += wait; }
  expect(wait).toBe(0);
});
it('counts searches and calls separately without the key-value store', async () => {
  const at = 0;
  const budget = createPortalBudget({
    kv: {
      takeTokens: () => Promise.reject(new KeyValueUnavailable('x')),
      capTokens: () => Promise.resolve(),
    } as Partial<KeyValue> as KeyValue,
    monotonicNow: monotonicClock(() => at),
    sharers: () => 1,
  });
  budget.apply('p', { max: 200, remaining: 200, intervalMs: 10_000 });
  budget.refused('p', 'search', 1000);
  await budget.take('p', 'search', 'live');
  let n = 0; while (n < 300 && (await budget.take('p', 'write', 'live')) === 0) n += 1;
  expect(n).toBeGreaterThan(100);
});
it('reads property definitions again after the database was away', async () => {
  let first = true;
  const session = fakeSession({
    properties: () => {
      if (first) {
        first = false;
        return Promise.reject(new StoreUnavailable('db'));
      }
      return Promise.resolve(answered([]));
    },
  });
  const c = createPropertyCatalog(monotonicClock(() => 0));
  await Promise.resolve(c.isUnique(session, 'deals', 'x')).catch(() => 0);
  expect(await c.isUnique(session, 'deals', 'x')).toMatchObject({ ok: true });
});
it('reads association definitions again after the database was away', async () => {
  let first = true;
  const session = fakeSession({
    associationTypes: () => {
      if (first) {
        first = false;
        return Promise.reject(new StoreUnavailable('db'));
      }
      return Promise.resolve(answered([{ category: 'USER_DEFINED', typeId: 1, label: null }]));
    },
  });
  const c = createAssociationTypes(monotonicClock(() => 0));
  await c.choose(session, 'a', 'b', {}).catch(() => 0);
  expect(await c.choose(session, 'a', 'b', {})).toMatchObject({ ok: true });
});
});
