import { type KeyValue, KeyValueUnavailable, monotonicClock } from '@sluice/ports';
import { createPortalBudget, type PortalBudget } from './portal-budget';

const rate = { max: 200, remaining: 200, intervalMs: 10_000 };

/** A budget on a store whose buckets grant what the test sets, and its clock. */
function lab(sharers = 1) {
  const store = { waitMs: 0, down: false, takes: [] as string[], capacities: [] as number[], caps: [] as unknown[] };
  const clock = { at: 1_000_000 };
  const kv = {
    takeTokens: (key: string, { capacity }: { capacity: number }) => {
      if (store.down) return Promise.reject(new KeyValueUnavailable('down'));
      store.takes.push(key);
      store.capacities.push(capacity);
      return Promise.resolve(store.waitMs > 0 ? { granted: 0, waitMs: store.waitMs } : { granted: 1, waitMs: 0 });
    },
    capTokens: (key: string, { remaining }: { remaining: number }) => {
      if (store.down) return Promise.reject(new KeyValueUnavailable('down'));
      store.caps.push([key, remaining]);
      return Promise.resolve();
    },
  } as Partial<KeyValue> as KeyValue;
  const monotonicNow = monotonicClock(() => clock.at);
  return { store, clock, budget: createPortalBudget({ kv, monotonicNow, sharers: () => sharers }) };
}

/** Calls that may start right now. */
async function grantedNow(budget: PortalBudget, atMost = 500): Promise<number> {
  let granted = 0;
  while (granted < atMost && (await budget.take('p', 'write', 'live')) === 0) granted += 1;
  return granted;
}

describe('portal budget', () => {
  it('keeps no limit until the CRM names one', async () => {
    const { store, budget } = lab();
    expect(await budget.take('p', 'write', 'live')).toBe(0);
    expect(await budget.take('p', 'search', 'live')).toBe(0);
    expect(store.takes).toEqual([]);
  });

  it('takes from the bucket of all runners, with a share left for others', async () => {
    const { store, budget } = lab();
    budget.apply('p', rate);
    expect(await budget.take('p', 'write', 'live')).toBe(0);
    store.waitMs = 70;
    expect(await budget.take('p', 'read', 'live')).toBe(70);
    expect(await budget.take('other', 'read', 'live')).toBe(0);
    expect(store.takes).toEqual(['crm-calls:p', 'crm-calls:p']);
    expect(store.capacities).toEqual([190, 190]);
  });

  it('forgets a limit the CRM has not repeated for a minute', async () => {
    const { store, clock, budget } = lab();
    budget.apply('p', rate);
    clock.at += 60_001;
    await budget.take('p', 'write', 'live');
    expect(store.takes).toEqual([]);
  });

  it('keeps to its share of the limit while the store is down', async () => {
    const { store, clock, budget } = lab(2);
    store.down = true;
    budget.apply('p', rate);
    expect(await grantedNow(budget)).toBe(95);
    const wait = await budget.take('p', 'write', 'live');
    expect(wait).toBeGreaterThan(0);
    clock.at += wait;
    expect(await grantedNow(budget)).toBe(1);
    clock.at += 1_000;
    expect(await grantedNow(budget)).toBe(9);
    clock.at += 50_000;
    expect(await grantedNow(budget)).toBe(95);
  });

  it('starts from what the CRM said was left', async () => {
    const { store, budget } = lab();
    store.down = true;
    budget.apply('p', { ...rate, remaining: 20 });
    expect(await grantedNow(budget)).toBe(20);
  });

  it('throws other failures of the store', async () => {
    const broken = createPortalBudget({
      kv: { takeTokens: () => Promise.reject(new TypeError('a bug')) } as Partial<KeyValue> as KeyValue,
      monotonicNow: monotonicClock(() => 0),
      sharers: () => 1,
    });
    broken.apply('p', rate);
    await expect(broken.take('p', 'write', 'live')).rejects.toThrow('a bug');
  });

  it('learns the search limit from a refusal, only for searches and for a minute', async () => {
    const { store, clock, budget } = lab();
    budget.refused('p', 'search', 1_000);
    expect(budget.dryForMs('p')).toBe(0);
    store.waitMs = 250;
    expect(await budget.take('p', 'search', 'live')).toBe(250);
    expect(await budget.take('p', 'write', 'live')).toBe(0);
    expect(store.takes).toEqual(['crm-search:p']);
    expect(store.capacities).toEqual([4]);
    clock.at += 60_001;
    expect(await budget.take('p', 'search', 'live')).toBe(0);
  });

  it('starts nothing while the portal is dry, and never forgets the longest wait', async () => {
    const { clock, budget } = lab();
    budget.refused('p', 'write', 5_000);
    budget.refused('p', 'read', 2_000);
    expect(budget.dryForMs('p')).toBe(5_000);
    expect(await budget.take('p', 'search', 'live')).toBe(5_000);
    expect(budget.dryForMs('other')).toBe(0);
    clock.at += 5_000;
    expect(budget.dryForMs('p')).toBe(0);
    expect(await budget.take('p', 'write', 'live')).toBe(0);
    budget.refused('p', 'write', 1_000);
    expect(await budget.take('p', 'write', 'live')).toBe(1_000);
  });

  it('caps the bucket when the CRM knows of calls that the bucket does not', async () => {
    const { store, budget } = lab();
    budget.apply('p', { ...rate, remaining: 150 });
    expect(store.caps).toEqual([]);
    budget.apply('p', { ...rate, remaining: 50 });
    budget.apply('p', { ...rate, remaining: 3 });
    expect(store.caps).toEqual([['crm-calls:p', 40], ['crm-calls:p', 0]]);
  });
});
