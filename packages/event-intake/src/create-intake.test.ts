import { aConnector } from '@sluice/connector-feed/testing';
import { type ConnectorChange, eventsInbound, eventsOutbound } from '@sluice/contracts';
import { type BlobStore, type EventBus, KeyValueUnavailable, StoreUnavailable, wallClock } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryBus, createMemoryLog } from '@sluice/ports/testing';
import { createIntake, type Intake } from './create-intake';
import { createPartitionCounts } from './event-topic';
import { type IntakeRule, intakeRules } from './intake-rule';
import { createQuota } from './limits/quota';
import { createRateLimit } from './limits/rate-limit';
import type { IntakeEvent, IntakeOrigin } from './plan-units';

type Counters = Map<string, number>;

/** Counters of one process: what quota and rate limit use of the key-value store. */
function memoryCounters(counters: Counters, isAway: () => boolean) {
  const guarded = async <T>(value: T): Promise<T> => {
    if (isAway()) throw new KeyValueUnavailable('away');
    return value;
  };
  const add = (key: string, by: number): number => {
    const value = (counters.get(key) ?? 0) + by;
    counters.set(key, value);
    return value;
  };
  return {
    get: (key: string) => guarded(counters.has(key) ? String(counters.get(key)) : null),
    setIfAbsent: async (key: string, value: string) => {
      await guarded(null);
      if (counters.has(key)) return false;
      counters.set(key, Number(value));
      return true;
    },
    increment: async (key: string, by: number) => (await guarded(null), add(key, by)),
    incrementWithin: async (key: string, by: number, limit: number) => {
      await guarded(null);
      const value = counters.get(key) ?? 0;
      return value + by > limit ? { added: false, value } : { added: true, value: add(key, by) };
    },
    slideWindow: async (key: string, { limit }: { limit: number }) => {
      const value = add(key, 1);
      return { allowed: value <= limit, remaining: limit - value, resetMs: 400 };
    },
  };
}

async function lab({ accepted = 0, reserved = 0 }: { accepted?: number; reserved?: number } = {}) {
  const faults: { publish?: 'refused' | 'unknown'; kv?: boolean; database?: boolean; blobs?: boolean } = {};
  const log = createMemoryLog();
  const bus: EventBus = createMemoryBus({ log, fault: () => faults.publish });
  await bus.ensureTopics([eventsInbound, eventsOutbound]);
  const blobs: BlobStore = createMemoryBlobStore({ unavailable: () => faults.blobs === true });
  const counters: Counters = new Map();
  const kv = memoryCounters(counters, () => faults.kv === true);
  const index = {
    acceptedSince: async () => {
      if (faults.database) throw new StoreUnavailable('away');
      return accepted;
    },
    reservedSince: async () => reserved,
  };
  const quota = createQuota({ kv, index, now });
  const intake = createIntake({
    ...{ bus, blobs, quota },
    partitions: createPartitionCounts(bus),
    rateLimit: createRateLimit(kv, 1),
  });
  const inLog = (topic: string): number => (log.topics.get(topic)?.partitions ?? []).flat().length;
  return { intake, quota, faults, counters, inLog };
}

const now = wallClock(() => Date.parse('2026-03-31T23:59:59Z'));
const quotaKey = `event-quota:${aConnector().organization_id}:2026-03`;
const origin: IntakeOrigin = { source: { name: 'shop', type: 'webhook' }, run: 'first', kind: 'live' };
const events = (count: number, payload: unknown = {}): IntakeEvent[] => Array.from({ length: count }, (_, index) => ({
  eventId: `evt_${index}`, aliases: [], acceptedAt: 0, requestId: 'r', timestamp: null, storeId: null,
  records: [{ eventType: 'e', externalId: null, entityType: null, recordKey: null, payload }],
}));
const free = (changes: Parameters<typeof aConnector>[0] = {}): ConnectorChange =>
  aConnector({ ...changes, organization: { tier: 'free', limits: { events_limit: 3 }, ...changes.organization } });
const take = (intake: Intake, count: number, rule: IntakeRule = intakeRules.request, payload?: unknown) =>
  intake.take({ connector: free(), rule, origin, events: events(count, payload), trace: {} });

describe('who may send', () => {
  const stopped = { paused: free({ status: 'paused' }), failed: free({ status: 'error' }) };
  const suspended = free({ organization: { state: 'suspended' } });

  test.each<[keyof typeof intakeRules, (string | null)[]]>([
    ['request', ['paused', 'paused', 'organization_stopped']],
    ['delivery', [null, null, 'organization_stopped']],
    ['reading', ['paused', 'paused', 'organization_stopped']],
    ['journal', [null, null, null]],
    ['replay', [null, null, null]],
  ])('%s while paused, in error, and of a suspended organization: %j', async (name, expected) => {
    const { intake } = await lab();
    const connectors = [stopped.paused, stopped.failed, suspended];
    const refusals = await Promise.all(connectors.map((one) => intake.admit(one, intakeRules[name])));
    expect(refusals.map((refusal) => (refusal?.why === 'stopped' ? refusal.reason : null))).toEqual(expected);
  });

  test('calls count in the rate of the organization, readings do not', async () => {
    const { intake } = await lab();
    const admit = async (rule: IntakeRule, times: number): Promise<unknown[]> => {
      const found = [];
      for (let at = 0; at < times; at += 1) found.push(await intake.admit(free(), rule));
      return found.filter((refusal) => refusal !== null);
    };
    expect(await admit(intakeRules.reading, 20)).toEqual([]);
    expect(await admit(intakeRules.delivery, 9)).toEqual([]);
    expect(await admit(intakeRules.request, 2)).toEqual([{ why: 'rate', limit: 10, remaining: -1, resetMs: 400 }]);
  });
});

describe('the events of the month', () => {
  test('are refused as a whole and count nothing then, or are counted beyond the limit, or not at all', async () => {
    const { intake, counters, inLog } = await lab();
    expect(await take(intake, 2)).toBeNull();
    expect(await take(intake, 2)).toEqual({ why: 'quota', used: 2, resetsAt: '2026-04-01T00:00:00.000Z' });
    expect([counters.get(quotaKey), inLog('events.inbound')]).toEqual([2, 2]);
    expect(await take(intake, 4, intakeRules.reading)).toBeNull();
    expect(await take(intake, 5, intakeRules.replay)).toBeNull();
    expect([counters.get(quotaKey), inLog('events.inbound')]).toEqual([6, 11]);
    expect(await take(intake, 1)).toMatchObject({ why: 'quota', used: 6 });
  });

  test('counts what imports have reserved, and what they give back', async () => {
    const { intake, quota, faults, counters } = await lab({ accepted: 1, reserved: 1 });
    expect(await take(intake, 2)).toMatchObject({ why: 'quota', used: 2 });
    const { organization_id: id } = free();
    await quota.giveBack(id, Date.parse('2026-03-02T00:00:00Z'), 1);
    expect(counters.get(quotaKey)).toBe(1);
    expect(await take(intake, 2)).toBeNull();
    await quota.giveBack(id, Date.parse('2026-02-02T00:00:00Z'), 1);
    expect([...counters]).toEqual([[quotaKey, 3]]);
    faults.kv = true;
    await quota.giveBack(id, Date.parse('2026-03-02T00:00:00Z'), 1);
    expect(await take(intake, 1)).toBeNull();
  });

  test('are counted from the index where the store has no counter, and in this process while it is away', async () => {
    const { intake, faults } = await lab({ accepted: 2 });
    expect(await take(intake, 2)).toMatchObject({ why: 'quota', used: 2 });
    faults.kv = true;
    expect(await take(intake, 2)).toMatchObject({ why: 'quota', used: 2 });
    expect(await take(intake, 1)).toBeNull();
    expect(await take(intake, 1)).toMatchObject({ why: 'quota', used: 3 });
  });

  test('start at zero while neither the store nor the database answers', async () => {
    const { intake, faults } = await lab({ accepted: 3 });
    Object.assign(faults, { kv: true, database: true });
    expect(await take(intake, 3)).toBeNull();
    expect(await take(intake, 1)).toMatchObject({ why: 'quota' });
  });
});

describe('what does not get into the log', () => {
  const large = { text: 'x'.repeat(300_000) };

  test.each<[string, object, unknown, string]>([
    ['nothing was published', { publish: 'refused' }, {}, 'unavailable'],
    ['a large payload cannot be stored', { blobs: true }, large, 'blobs_unavailable'],
  ])('%s: the count is undone', async (_title, fault, payload, why) => {
    const { intake, faults, counters } = await lab();
    Object.assign(faults, fault);
    expect(await take(intake, 3, intakeRules.request, payload)).toEqual({ why });
    expect(counters.get(quotaKey)).toBe(0);
  });

  test('what may be there stays counted', async () => {
    const { intake, faults, counters } = await lab();
    faults.publish = 'unknown';
    expect(await take(intake, 3)).toEqual({ why: 'unknown' });
    expect(counters.get(quotaKey)).toBe(3);
  });

  test('a bug of the store of payloads is thrown, and counts nothing', async () => {
    const { counters } = await lab();
    const kv = memoryCounters(counters, () => false);
    const broken = createIntake({
      bus: { publish: async () => ({ ok: true, offset: 0n }) as never },
      blobs: { put: async () => { throw new Error('a bug'); } },
      partitions: { of: () => 24 },
      quota: createQuota({ kv, index: { acceptedSince: async () => 0, reservedSince: async () => 0 }, now }),
      rateLimit: createRateLimit(kv, 1),
    });
    await expect(take(broken, 1, intakeRules.request, large)).rejects.toThrow('a bug');
    expect(counters.get(quotaKey)).toBe(0);
  });
});

test('the quota tells what its counter holds: nothing before the first event of the month, and its own count while the store is away', async () => {
  const { quota, intake, faults } = await lab({ accepted: 1 });
  const { organization_id: organizationId } = free();
  expect(await quota.counted(organizationId)).toBeNull();
  await take(intake, 2);
  expect(await quota.counted(organizationId)).toBe(3);
  faults.kv = true;
  expect(await quota.counted(organizationId)).toBeNull();
  await take(intake, 1);
  expect(await quota.counted(organizationId)).toBe(2);
});

test('changes of the CRM go out, everything else goes in, each in its own partition', async () => {
  const { intake, inLog } = await lab();
  const journal: IntakeOrigin = { ...origin, source: { name: 'changes', type: 'crm' } };
  await intake.take({ connector: aConnector(), rule: intakeRules.journal, origin: journal, events: events(2), trace: {} });
  expect([inLog('events.inbound'), inLog('events.outbound')]).toEqual([0, 2]);
});
