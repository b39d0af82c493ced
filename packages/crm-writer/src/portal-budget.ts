import type { CrmRate, KeyValue, MonotonicClock } from '@sluice/ports';
import { KeyValueUnavailable } from '@sluice/ports';
import { createBoundedCache } from './bounded-cache';

export type CallKind = 'read' | 'write' | 'search';

/** Search has its own limit, which the CRM does not announce: it is assumed after the first refusal. */
const learnedSearchPerSecond = 4;
/** A learned limit is forgotten after this time without a new refusal. */
const limitTtlMs = 60_000;
/** The least time for which no call starts after a call had to wait too long. */
const shortestDryMs = 250;
/** Portals kept in memory; a dropped one starts again with its next answer. */
const maxPortals = 10_000;
/** The part of the limit that Sluice uses; the rest is left for people and other apps of the portal. */
const share = 0.95;

/**
 * The calls that a portal still allows: a bucket in the key-value store that all runners share, updated from the CRM's rate
 * headers. Without these headers there is no limit. While the store cannot be reached, each runner uses its share of the budget.
 */
export interface PortalBudget {
  /** Milliseconds to wait before a call of this kind may start; 0 and a token taken when it may. */
  take(portalId: string, kind: CallKind): Promise<number>;
  /** Takes the rate headers of an answer. */
  apply(portalId: string, rate: CrmRate): void;
  /** The CRM refused a call: nothing starts before `waitMs` have passed. */
  refused(portalId: string, kind: CallKind, waitMs: number): void;
  /** A call waited as long as it may, and would have to wait `waitMs` more: until then further calls are refused at once. */
  ranDry(portalId: string, waitMs: number): void;
  /** Milliseconds until calls may start again; 0: now. */
  dryForMs(portalId: string): number;
}

interface Known {
  rate: { capacity: number; refillPerSecond: number; until: number } | null;
  searchUntil: number;
  dryUntil: number;
  /** Local buckets, one per limit, for the time in which the shared ones are unavailable. */
  local: Record<'calls' | 'search', { tokens: number; at: number }>;
}

export function createPortalBudget(options: { kv: KeyValue; monotonicNow: MonotonicClock; sharers(): number }): PortalBudget {
  const { kv, monotonicNow } = options;
  const portals = createBoundedCache<Known>(maxPortals);
  const known = (portalId: string): Known => {
    let entry = portals.get(portalId);
    if (!entry) {
      entry = {
        rate: null,
        searchUntil: 0,
        dryUntil: 0,
        local: { calls: { tokens: 0, at: monotonicNow() }, search: { tokens: 0, at: monotonicNow() } },
      };
      portals.set(portalId, entry);
    }
    return entry;
  };

  const takeLocal = (bucket: { tokens: number; at: number }, capacity: number, refillPerSecond: number): number => {
    const part = Math.max(1, options.sharers());
    const at = monotonicNow();
    const refill = refillPerSecond / part;
    // With more runners than calls, a share below one call would never suffice for a call.
    bucket.tokens = Math.min(Math.max(1, capacity / part), bucket.tokens + ((at - bucket.at) / 1_000) * refill);
    bucket.at = at;
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / refill) * 1_000);
    bucket.tokens -= 1;
    return 0;
  };
  const takeShared = async (
    key: string,
    bucket: Known['local']['calls'],
    capacity: number,
    refillPerSecond: number,
  ): Promise<number> => {
    try {
      const { granted, waitMs } = await kv.takeTokens(key, { capacity, refillPerSecond, want: 1 });
      return granted >= 1 ? 0 : Math.max(1, waitMs);
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      return takeLocal(bucket, capacity, refillPerSecond);
    }
  };

  return {
    take: async (portalId, kind) => {
      const entry = known(portalId);
      const at = monotonicNow();
      if (entry.dryUntil > at) return entry.dryUntil - at;
      if (kind === 'search' && entry.searchUntil > at) {
        const wait = await takeShared(
          `crm-search:${portalId}`,
          entry.local.search,
          learnedSearchPerSecond,
          learnedSearchPerSecond,
        );
        if (wait > 0) return wait;
      }
      if (!entry.rate || entry.rate.until < at) return 0;
      return takeShared(`crm-calls:${portalId}`, entry.local.calls, entry.rate.capacity, entry.rate.refillPerSecond);
    },
    apply: (portalId, rate) => {
      const entry = known(portalId);
      const capacity = Math.max(1, Math.floor(rate.max * share));
      const refillPerSecond = (capacity / rate.intervalMs) * 1_000;
      if (entry.rate === null)
        entry.local.calls = {
          tokens: Math.min(capacity, rate.remaining) / Math.max(1, options.sharers()), at: monotonicNow(),
        };
      entry.rate = { capacity, refillPerSecond, until: monotonicNow() + limitTtlMs };
      const remaining = Math.max(0, rate.remaining - (rate.max - capacity));
      // Only worth a round trip when the CRM counted calls that the bucket did not.
      if (remaining < capacity / 2) {
        kv.capTokens(`crm-calls:${portalId}`, { capacity, refillPerSecond, remaining }).catch((error: unknown) => {
          if (!(error instanceof KeyValueUnavailable)) throw error;
        });
      }
    },
    refused: (portalId, kind, waitMs) => {
      const entry = known(portalId);
      if (kind === 'search' && waitMs <= 1_000) entry.searchUntil = monotonicNow() + limitTtlMs;
      else entry.dryUntil = Math.max(entry.dryUntil, monotonicNow() + waitMs);
    },
    ranDry: (portalId, waitMs) => {
      const entry = known(portalId);
      entry.dryUntil = Math.max(entry.dryUntil, monotonicNow() + Math.max(waitMs, shortestDryMs));
    },
    dryForMs: (portalId) => Math.max(0, (portals.get(portalId)?.dryUntil ?? 0) - monotonicNow()),
  };
}
