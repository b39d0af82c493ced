import { type ConnectorChange, planLimits } from '@sluice/contracts';
import { type EventIndex, type KeyValue, KeyValueUnavailable, StoreUnavailable, type WallClock } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import { LRUCache } from 'lru-cache';

/** Entities counted against a month. */
export interface QuotaTake {
  /** Undoes the count, because nothing was accepted. */
  refund(): Promise<void>;
}

/**
 * Counts the entities of a request as a whole, or rejects with HttpError 429 and counts nothing.
 * undefined: the organization is not limited.
 */
export type Quota = (connector: ConnectorChange, entities: number) => Promise<QuotaTake> | undefined;

export interface QuotaOptions {
  kv: Pick<KeyValue, 'get' | 'setIfAbsent' | 'increment' | 'incrementWithin'>;
  /** The event index; the counter is a cache of its counts. */
  index: Pick<EventIndex, 'acceptedSince'>;
  /** Base of the links handed out, without a trailing slash. */
  publicUrl(): string;
  now: WallClock;
}

/** Longer than any month. */
const ttlMs = 40 * 86_400_000;

/** Counters of an organization's month kept in memory; one that was dropped is read again from the store or the index. */
const maxMonths = 50_000;

interface Month {
  key: string;
  organizationId: string;
  start: string;
  resetsAt: string;
}

export function createQuota({ kv, index, publicUrl, now }: QuotaOptions): Quota {
  /** Counters that this process knows to be filled, and those being filled. */
  const filled = new LRUCache<string, Promise<void>>({ max: maxMonths });
  const local = new LRUCache<string, number>({ max: maxMonths });

  const accepted = async ({ organizationId, start }: Month): Promise<number> => {
    try {
      return await index.acceptedSince(organizationId, start);
    } catch (error) {
      // The database cannot be reached: ingestion continues, and counting starts at zero.
      if (error instanceof StoreUnavailable) return 0;
      throw error;
    }
  };
  const fill = async (month: Month): Promise<void> => {
    if ((await kv.get(month.key)) === null) await kv.setIfAbsent(month.key, String(await accepted(month)), { ttlMs });
  };
  const fillOnce = (month: Month): Promise<void> => {
    let filling = filled.get(month.key);
    if (!filling) {
      filling = fill(month).catch((error: unknown) => {
        filled.delete(month.key);
        throw error;
      });
      filled.set(month.key, filling);
    }
    return filling;
  };
  const takeShared = async (month: Month, count: number, limit: number): Promise<{ added: boolean; value: number }> => {
    await fillOnce(month);
    const taken = await kv.incrementWithin(month.key, count, limit, { ttlMs });
    if (!taken.added || taken.value !== count) return taken;
    // The counter started at zero: the store lost it, or the month has no events yet.
    const before = await accepted(month);
    if (before === 0) return taken;
    const value = await kv.increment(month.key, before, { ttlMs });
    if (value <= limit) return { added: true, value };
    return { added: false, value: await kv.increment(month.key, -count, { ttlMs }) };
  };
  const takeLocal = async (month: Month, count: number, limit: number): Promise<{ added: boolean; value: number }> => {
    const used = local.get(month.key) ?? (await accepted(month));
    const present = local.get(month.key) ?? used;
    const added = present + count <= limit;
    local.set(month.key, added ? present + count : present);
    return { added, value: added ? present + count : present };
  };
  const take = async (connector: ConnectorChange, count: number, limit: number): Promise<QuotaTake> => {
    const month = monthOf(connector.organization_id, now());
    let shared = true;
    const { added, value } = await takeShared(month, count, limit).catch((error: unknown) => {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      shared = false;
      return takeLocal(month, count, limit);
    });
    if (shared) local.delete(month.key);
    if (!added) throw exceeded(connector, value, month);
    return { refund: () => (shared ? giveBack(month, count) : giveBackLocal(month, count)) };
  };
  const giveBack = async (month: Month, count: number): Promise<void> => {
    await kv.increment(month.key, -count, { ttlMs }).catch((error: unknown) => {
      // The store with the counter is away: the counter is a cache and is filled again from the index.
      if (!(error instanceof KeyValueUnavailable)) throw error;
      filled.delete(month.key);
    });
  };
  const giveBackLocal = async (month: Month, count: number): Promise<void> => {
    local.set(month.key, Math.max(0, (local.get(month.key) ?? 0) - count));
  };
  const exceeded = (connector: ConnectorChange, used: number, month: Month): Error =>
    apiError('quota_exceeded', {
      events_used_this_period: used,
      tier: connector.organization.tier,
      upgrade_url: `${publicUrl()}/billing`,
      period_resets_at: month.resetsAt,
    });

  return (connector, entities) => {
    const limit = planLimits(connector.organization).events_limit;
    return limit === null ? undefined : take(connector, entities, limit);
  };
}

/** The calendar month (UTC) of a time. */
function monthOf(organizationId: string, time: number): Month {
  const at = new Date(time);
  const start = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())).toISOString();
  const resetsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)).toISOString();
  return { key: `event-quota:${organizationId}:${start.slice(0, 7)}`, organizationId, start, resetsAt };
}
