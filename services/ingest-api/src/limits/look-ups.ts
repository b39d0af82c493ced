import { type MonotonicClock, SingleFlight, StoreUnavailable } from '@sluice/ports';
import { apiError, rateLimitError } from '@sluice/service-kit';
import { createCallerPlaces } from './caller-places';
import type { WorkBudget } from './work-budget';

/**
 * Look-ups of what callers name and memory does not know: keys, sources. Few of them are under way at once, fewer of one network,
 * and a network that names too much that does not exist is refused.
 */
export interface LookUps<T> {
  /**
   * Asks once for concurrent calls of one name. undefined: there is nothing of this name, which is remembered for a second.
   * Rejects with HttpError 503 when the database cannot be asked or too many look-ups are under way, and with 429.
   * @param network of the caller; computed only when the database is asked
   */
  run(name: string, network: () => string, ask: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** How long it is remembered that there is nothing of a name. */
const negativeMs = 1_000;
/** Look-ups under way at once: a flood of invented names must not take all database connections. */
const maxLookUps = 32;
/** Look-ups of one network under way at once, and waiting: a network that invents names does not block the look-ups of others. */
const [perNetwork, maxWaiting] = [4, 64];
const maxNegatives = 10_000;

export function createLookUps<T>(
  { budget, monotonicNow }: { budget: Pick<WorkBudget, 'assertMayLookUp' | 'unknownKey'>; monotonicNow: MonotonicClock },
): LookUps<T> {
  /** Name to the time until which it counts as unknown. */
  const negatives = new Map<string, number>();
  const flights = new SingleFlight<T | undefined>();
  const places = createCallerPlaces({ perCaller: perNetwork, maxWaiting });
  let asking = 0;

  const lookUp = async (name: string, network: string, ask: () => Promise<T | undefined>): Promise<T | undefined> => {
    // Other requests of the network may have used up the limit while this one waited.
    budget.assertMayLookUp(network);
    if (asking >= maxLookUps) throw apiError('event_ingestion_unavailable');
    asking += 1;
    try {
      const found = await ask();
      if (found !== undefined) return found;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw apiError('event_ingestion_unavailable');
      throw error;
    } finally {
      asking -= 1;
    }
    if (negatives.size >= maxNegatives) negatives.clear();
    negatives.set(name, monotonicNow() + negativeMs);
    budget.unknownKey(network);
    return undefined;
  };

  return {
    run: async (name, network, ask) => {
      if ((negatives.get(name) ?? 0) > monotonicNow()) return undefined;
      const asked = flights.joined(name);
      if (asked) return asked;
      const caller = network();
      budget.assertMayLookUp(caller);
      return flights.run(name, async () => {
        const answer = places.run(caller, () => lookUp(name, caller, ask));
        if (answer !== 'full') return answer;
        throw rateLimitError({ limit: perNetwork, remaining: 0, resetMs: negativeMs });
      });
    },
  };
}
