import { type ConnectorChange, eventsLimit } from '@sluice/contracts';
import { type EventIndex, type KeyValue, KeyValueUnavailable, StoreUnavailable, type WallClock } from '@sluice/ports';
import { LRUCache } from 'lru-cache';
import type { QuotaExceeded } from '../intake-refusal';
import { type Month, monthOf } from './month';

/** Events counted against a month. */
export interface QuotaTake {
  /** Undoes the count, because nothing was accepted. */
  refund(): Promise<void>;
}

/** The events of a month of an organization (docs/reference/accounts-and-plans.md, Plans). */
export interface Quota {
  /**
   * Counts events as a whole; when they do not fit, none of them. With `always` they are counted however many there were.
   * undefined: the organization is not limited.
   */
  take(connector: ConnectorChange, events: number, always?: 'always'): Promise<QuotaTake | QuotaExceeded> | undefined;
  /** Undoes the count of events of the month of a time, in milliseconds since the epoch, that were counted and will not come. */
  giveBack(organizationId: string, countedAt: number, events: number): Promise<void>;
  /**
   * How many events the counter of the present month holds, those that imports have reserved among them; null where it counts
   * nothing: the organization is not limited, or the counter is away.
   */
  counted(organizationId: string): Promise<number | null>;
}

export interface QuotaOptions {
  kv: Pick<KeyValue, 'get' | 'setIfAbsent' | 'increment' | 'incrementWithin'>;
  /** The event index; the counter is a cache of its counts. */
  index: Pick<EventIndex, 'acceptedSince' | 'reservedSince'>;
  now: WallClock;
}

/** Longer than any month. */
const ttlMs = 40 * 86_400_000;

/** Counters of an organization's month kept in memory; one that was dropped is read again from the store or the index. */
const maxMonths = 50_000;

interface Counted {
  added: boolean;
  value: number;
}

export function createQuota(options: QuotaOptions): Quota {
  const counters = new MonthCounters(options);
  const take = async (connector: ConnectorChange, events: number, limit: number): Promise<QuotaTake | QuotaExceeded> => {
    const month = monthOf(connector.organization_id, options.now());
    const { added, value, refund } = await counters.add(month, events, limit);
    return added ? { refund } : { why: 'quota', used: value, resetsAt: month.resetsAt };
  };
  return {
    take: (connector, events, always) => {
      const limit = eventsLimit(connector.organization);
      return limit === null ? undefined : take(connector, events, always ? Infinity : limit);
    },
    giveBack: (organizationId, countedAt, events) => counters.giveBack(monthOf(organizationId, countedAt), events),
    counted: (organizationId) => counters.read(monthOf(organizationId, options.now())),
  };
}

/**
 * The counters of months: shared in the key-value store, or in this process while the store is away. Both are caches: what they
 * lost is counted again from the event index, so that an outage gives no month twice.
 */
class MonthCounters {
  /** Shared counters that this process knows to be filled, and those being filled. */
  private readonly filled = new LRUCache<string, Promise<void>>({ max: maxMonths });
  private readonly local = new LRUCache<string, number>({ max: maxMonths });

  constructor(private readonly options: QuotaOptions) {}

  async add(month: Month, count: number, limit: number): Promise<Counted & QuotaTake> {
    try {
      const counted = await this.addShared(month, count, limit);
      this.local.delete(month.key);
      return { ...counted, refund: () => this.refundShared(month, count) };
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      return { ...(await this.addLocal(month, count, limit)), refund: async () => this.refundLocal(month, count) };
    }
  }

  async read(month: Month): Promise<number | null> {
    try {
      const value = await this.options.kv.get(month.key);
      return value === null ? null : Number(value);
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      return this.local.get(month.key) ?? null;
    }
  }

  /** A counter that is not there is filled without them. */
  async giveBack(month: Month, count: number): Promise<void> {
    this.refundLocal(month, count);
    try {
      if ((await this.options.kv.get(month.key)) !== null) await this.refundShared(month, count);
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      this.filled.delete(month.key);
    }
  }

  private async addShared(month: Month, count: number, limit: number): Promise<Counted> {
    const { kv } = this.options;
    await this.fillOnce(month);
    const taken = await this.increment(month, count, limit);
    if (!taken.added || taken.value !== count) return taken;
    // The counter started at zero: the store lost it, or the month has no events yet.
    const before = await this.accepted(month);
    if (before === 0) return taken;
    const value = await kv.increment(month.key, before, { ttlMs });
    if (value <= limit) return { added: true, value };
    return { added: false, value: await kv.increment(month.key, -count, { ttlMs }) };
  }

  private async increment({ key }: Month, count: number, limit: number): Promise<Counted> {
    const { kv } = this.options;
    if (limit !== Infinity) return kv.incrementWithin(key, count, limit, { ttlMs });
    return { added: true, value: await kv.increment(key, count, { ttlMs }) };
  }

  private async addLocal(month: Month, count: number, limit: number): Promise<Counted> {
    const used = this.local.get(month.key) ?? (await this.accepted(month));
    const present = this.local.get(month.key) ?? used;
    const added = present + count <= limit;
    const value = added ? present + count : present;
    this.local.set(month.key, value);
    return { added, value };
  }

  private async refundShared(month: Month, count: number): Promise<void> {
    await this.options.kv.increment(month.key, -count, { ttlMs }).catch((error: unknown) => {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      // The counter cannot be corrected now: it is filled again from the index.
      this.filled.delete(month.key);
    });
  }

  private refundLocal({ key }: Month, count: number): void {
    const known = this.local.get(key);
    if (known !== undefined) this.local.set(key, Math.max(0, known - count));
  }

  private fillOnce(month: Month): Promise<void> {
    const known = this.filled.get(month.key);
    if (known) return known;
    const filling = this.fill(month).catch((error: unknown) => {
      this.filled.delete(month.key);
      throw error;
    });
    this.filled.set(month.key, filling);
    return filling;
  }

  private async fill(month: Month): Promise<void> {
    const { kv } = this.options;
    if ((await kv.get(month.key)) === null) await kv.setIfAbsent(month.key, String(await this.accepted(month)), { ttlMs });
  }

  private async accepted({ organizationId, start }: Month): Promise<number> {
    try {
      const { index } = this.options;
      const [accepted, reserved] = await Promise.all([
        index.acceptedSince(organizationId, start), index.reservedSince(organizationId, start),
      ]);
      return accepted + reserved;
    } catch (error) {
      // The database cannot be reached: ingestion continues, and counting starts at zero.
      if (error instanceof StoreUnavailable) return 0;
      throw error;
    }
  }
}
