import type { MonotonicClock } from '@sluice/ports';
import {
  type Authenticate, callerNetwork, createTokenBuckets, HttpError, rateLimitError, sha256Hex, type TokenBuckets,
} from '@sluice/service-kit';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { ratePerSecond } from '../limits/create-rate-limit';
import type { StrangerBudget } from './stranger-budget';

/** Puts cheap checks before one that reads: nothing is looked up for a caller who is over its limit anyway. */
export type GuardAuthenticate = <P>(authenticate: Authenticate<P>) => Authenticate<P>;

export interface GuardOptions {
  strangers: StrangerBudget;
  /** SLUICE_RATE_LIMIT_SCALE; 0 turns the limits off. */
  scale: number;
  monotonicNow: MonotonicClock;
}

const maxTokens = 50_000;
/** Milliseconds for which a token that was right is nobody's attempt, whatever else comes from its network. */
const knownForMs = 60_000;

/**
 * Two counts in this process, before the caller is looked up:
 * - each token counts for itself, against the rate of its organization, which it could not exceed either: a token alone never
 *   gets 429 here that the shared limit would not give;
 * - a token that is not known to be right takes one of the attempts of its network, and gives it back when it is right.
 */
export function createGuardAuthenticate({ strangers, scale, monotonicNow }: GuardOptions): GuardAuthenticate {
  const known = new LRUCache<string, number>({ maxSize: maxTokens, sizeCalculation: () => 1 });
  const count = tokenCount(scale, monotonicNow);
  const isKnown = (token: string): boolean => (known.get(token) ?? -Infinity) > monotonicNow();

  return (authenticate) => async (request, context) => {
    const token = tokenOf(request);
    if (token === undefined) return authenticate(request, context);
    count(token);
    const network = isKnown(token) ? null : callerNetwork(context.address);
    if (network !== null) strangers.take(network);
    try {
      return await authenticate(request, context);
    } catch (error) {
      if (isUnknown(error)) known.delete(token);
      throw error;
    } finally {
      // The caller is noted once it is known, also when it is refused after that.
      if (context.principal !== undefined) {
        known.set(token, monotonicNow() + knownForMs);
        if (network !== null) strangers.giveBack(network);
      }
    }
  };
}

/** A digest, because tokens are secrets and may be long. */
function tokenOf({ headers }: Request): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : sha256Hex(token).slice(0, 32);
}

const isUnknown = (error: unknown): boolean => error instanceof HttpError && error.status === 401;

function tokenCount(scale: number, monotonicNow: MonotonicClock): (token: string) => void {
  if (scale === 0) return () => undefined;
  const limit = Math.max(1, ratePerSecond * scale);
  const buckets: TokenBuckets = createTokenBuckets({ capacity: limit, perSecond: limit, maxKeys: maxTokens, monotonicNow });
  return (token) => {
    if (buckets.left(token) < 1) throw rateLimitError({ limit: Math.ceil(limit), remaining: 0, resetMs: buckets.waitMs(token) });
    buckets.take(token, 1);
  };
}
