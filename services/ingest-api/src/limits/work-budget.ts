import type { MonotonicClock } from '@sluice/ports';
import { createTokenBuckets, type JsonShape, rateLimitError, type TokenBuckets } from '@sluice/service-kit';

/** Whose request it is. `network` is computed only when it is needed, because that reads the headers. */
export interface Spender {
  organizationId: string;
  /** The connector key of the request: a key that sends too much is refused before the other keys of its organization are. */
  key: string;
  network(): string;
}

/**
 * How much work callers may cause in this process, beside the requests per second of their plan: refused requests, large bodies,
 * status reads, look-ups of unknown keys. Counted per process, because it protects the process. Work is counted in milliseconds,
 * estimated from the contents of the body, so that the count does not depend on how busy the machine is.
 */
export interface WorkBudget {
  /**
   * Throws HttpError 429 when the key or the organization has used up its budget, or when its network has and the organization
   * contributed to that.
   */
  assertLeft(spender: Spender): void;
  /** Whether the organization caused work recently: was refused, or sent large bodies. */
  owes(organizationId: string): boolean;
  /** @param refused a refused request costs a millisecond at least; an accepted one is counted by the plan's own limits */
  spend(spender: Spender, work: { shape: JsonShape | null; refused: boolean }): void;
  /** Counts a status read; throws HttpError 429 when the organization is over its budget of them. */
  countRead(organizationId: string): void;
  /** Called before the look-up of a key that is not in memory; throws HttpError 429 when the network has tried too many. */
  assertMayLookUp(network: string): void;
  /** Counts a key that does not exist. */
  unknownKey(network: string): void;
}

/** Tokens per second, and how many seconds of them may be used at once. */
const budgets = {
  key: { perSecond: 200, seconds: 5 },
  organization: { perSecond: 400, seconds: 5 },
  network: { perSecond: 400, seconds: 5 },
  reads: { perSecond: 300, seconds: 5 },
  unknownKeys: { perSecond: 20, seconds: 5 },
} as const;
const maxKeys = 50_000;

/** @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the budgets off */
export function createWorkBudget(scale: number, monotonicNow: MonotonicClock): WorkBudget {
  if (scale === 0) return noBudget;
  const bucketsOf = ({ perSecond, seconds }: { perSecond: number; seconds: number }): Limited => {
    const capacity = Math.max(1, perSecond * seconds * scale);
    return {
      limit: Math.max(1, Math.round(perSecond * scale)),
      buckets: createTokenBuckets({ capacity, perSecond: perSecond * scale, maxKeys, monotonicNow }),
    };
  };
  const [keys, organizations, networks] = [bucketsOf(budgets.key), bucketsOf(budgets.organization), bucketsOf(budgets.network)];
  const [reads, unknownKeys] = [bucketsOf(budgets.reads), bucketsOf(budgets.unknownKeys)];
  return {
    assertLeft: ({ organizationId, key, network }) => {
      if (organizations.buckets.isFull(organizationId)) return;
      assertLeft(keys, key);
      assertLeft(organizations, organizationId);
      // Organizations behind one network share its budget; one that caused no work recently is not refused for it.
      assertLeft(networks, network());
    },
    owes: (organizationId) => !organizations.buckets.isFull(organizationId),
    spend: ({ organizationId, key, network }, { shape, refused }) => {
      const cost = Math.max(refused ? 1 : 0, workOf(shape));
      if (cost < 0.5) return;
      keys.buckets.take(key, cost);
      organizations.buckets.take(organizationId, cost);
      networks.buckets.take(network(), cost);
    },
    countRead: (organizationId) => {
      assertLeft(reads, organizationId);
      reads.buckets.take(organizationId, 1);
    },
    assertMayLookUp: (network) => assertLeft(unknownKeys, network),
    unknownKey: (network) => unknownKeys.buckets.take(network, 1),
  };
}

interface Limited {
  limit: number;
  buckets: TokenBuckets;
}

function assertLeft({ limit, buckets }: Limited, key: string): void {
  if (buckets.left(key) < 1) throw rateLimitError({ limit, remaining: 0, resetMs: buckets.waitMs(key) });
}

/** Milliseconds to parse a body and to write it again. Measured: 5 ms a MiB, 0.2 us a value, 2 us a name that is new. */
export function workOf(shape: JsonShape | null): number {
  return shape === null ? 0 : shape.bytes / 200_000 + shape.values / 5_000 + shape.names / 500;
}

const nothing = (): void => undefined;
const noBudget: WorkBudget = {
  assertLeft: nothing,
  owes: () => false,
  spend: nothing,
  countRead: nothing,
  assertMayLookUp: nothing,
  unknownKey: nothing,
};
