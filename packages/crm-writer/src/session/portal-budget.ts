import type { CrmRate, KeyValue, MonotonicClock, WorkClass } from '@sluice/ports';
import { KeyValueUnavailable } from '@sluice/ports';
import { createBoundedCache } from '../shared/bounded-cache';
import { CallBucket, type CallRate } from './call-bucket';

export type CallKind = 'read' | 'write' | 'search';

/** Search has its own limit, which the CRM does not announce: it is assumed after the first refusal. */
const learnedSearches: CallRate = { capacity: 4, refillPerSecond: 4 };
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
  take(portalId: string, kind: CallKind, workClass: WorkClass): Promise<number>;
  /** Takes the rate headers of an answer. */
  apply(portalId: string, rate: CrmRate): void;
  /** The CRM refused a call: nothing starts before `waitMs` have passed. */
  refused(portalId: string, kind: CallKind, waitMs: number): void;
  /**
   * A live call waited as long as it may, and would have to wait `waitMs` more: until then other live calls are refused at once.
   */
  ranDry(portalId: string, waitMs: number): void;
  /** Milliseconds until live calls may start again; 0: now. */
  dryForMs(portalId: string): number;
}

interface Known {
  rate: (CallRate & { until: number }) | null;
  searchUntil: number;
  /** Until when the CRM refuses calls. */
  refusedUntil: number;
  /** Until when live calls have nothing left; others have shares of their own. */
  dryUntil: number;
  calls: CallBucket;
  searches: CallBucket;
}

export interface PortalBudgetOptions {
  kv: Pick<KeyValue, 'takeTokens' | 'capTokens'>;
  monotonicNow: MonotonicClock;
  sharers(): number;
}

export function createPortalBudget(options: PortalBudgetOptions): PortalBudget {
  const { kv, monotonicNow } = options;
  const portals = createBoundedCache<Known>(maxPortals);
  const known = (portalId: string): Known => {
    let entry = portals.get(portalId);
    if (!entry) {
      const bucket = (key: string): CallBucket => new CallBucket(options, key);
      entry = {
        rate: null, searchUntil: 0, refusedUntil: 0, dryUntil: 0,
        calls: bucket(callsKey(portalId)), searches: bucket(`crm-search:${portalId}`),
      };
      portals.set(portalId, entry);
    }
    return entry;
  };
  const forMs = ({ refusedUntil, dryUntil }: Known, workClass: WorkClass): number =>
    Math.max(0, (workClass === 'live' ? Math.max(refusedUntil, dryUntil) : refusedUntil) - monotonicNow());

  return {
    take: async (portalId, kind, workClass) => {
      const entry = known(portalId);
      const refusedForMs = forMs(entry, workClass);
      if (refusedForMs > 0) return refusedForMs;
      const at = monotonicNow();
      if (kind === 'search' && entry.searchUntil > at) {
        const wait = await entry.searches.take(learnedSearches, workClass);
        if (wait > 0) return wait;
      }
      if (!entry.rate || entry.rate.until < at) return 0;
      return entry.calls.take(entry.rate, workClass);
    },
    apply: (portalId, rate) => {
      const entry = known(portalId);
      const capacity = Math.max(1, Math.floor(rate.max * share));
      const refillPerSecond = (capacity / rate.intervalMs) * 1_000;
      if (entry.rate === null)
        entry.calls.startLocal(Math.min(capacity, rate.remaining) / Math.max(1, options.sharers()));
      entry.rate = { capacity, refillPerSecond, until: monotonicNow() + limitTtlMs };
      const remaining = Math.max(0, rate.remaining - (rate.max - capacity));
      // Only worth a round trip when the CRM counted calls that the bucket did not.
      if (remaining < capacity / 2) {
        kv.capTokens(callsKey(portalId), { capacity, refillPerSecond, remaining }).catch((error: unknown) => {
          if (!(error instanceof KeyValueUnavailable)) throw error;
        });
      }
    },
    refused: (portalId, kind, waitMs) => {
      const entry = known(portalId);
      if (kind === 'search' && waitMs <= 1_000) entry.searchUntil = monotonicNow() + limitTtlMs;
      else entry.refusedUntil = Math.max(entry.refusedUntil, monotonicNow() + waitMs);
    },
    ranDry: (portalId, waitMs) => {
      const entry = known(portalId);
      entry.dryUntil = Math.max(entry.dryUntil, monotonicNow() + Math.max(waitMs, shortestDryMs));
    },
    dryForMs: (portalId) => {
      const entry = portals.get(portalId);
      return entry ? forMs(entry, 'live') : 0;
    },
  };
}

const callsKey = (portalId: string): string => `crm-calls:${portalId}`;
