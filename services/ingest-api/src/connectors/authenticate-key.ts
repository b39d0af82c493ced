import type { ConnectorKeys } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import { type ConfigReader, type MonotonicClock, SingleFlight, StoreUnavailable, type WallClock } from '@sluice/ports';
import { apiError, rateLimitError, sha256Hex } from '@sluice/service-kit';
import { createCallerPlaces } from '../limits/caller-places';
import type { WorkBudget } from '../limits/work-budget';

/**
 * The connector that a request's `x-api-key` belongs to; synchronous when the key is in memory. Throws HttpError 401; for a key
 * that is not in memory also 503 when the look-up fails, and 429 when the caller's network has tried too many keys that do not
 * exist.
 */
export type AuthenticateKey = (
  header: string | string[] | undefined,
  network: () => string,
) => ConnectorChange | Promise<ConnectorChange>;

/** How long it is remembered that a key does not exist. */
const negativeMs = 1_000;
/** Look-ups under way at once: a flood of invented keys must not take all database connections. */
const maxLookUps = 32;
/** Look-ups of one network under way at once, and waiting: a network that invents keys does not block the look-ups of others. */
const [perNetwork, maxWaiting] = [4, 64];
const maxNegatives = 10_000;
/** Repeated look-ups of one key while its connector keeps changing. */
const maxAsked = 3;

export function createAuthenticateKey(options: {
  keys: ConnectorKeys;
  reader: Pick<ConfigReader, 'connectorByKeyHash'>;
  budget: Pick<WorkBudget, 'assertMayLookUp' | 'unknownKey'>;
  /** Keys end at a time of their own. */
  now: WallClock;
  monotonicNow: MonotonicClock;
  /** Called for every valid key. */
  used(hash: string): void;
}): AuthenticateKey {
  const { keys, reader, budget, now, monotonicNow, used } = options;
  /** Hash to the time until which it counts as unknown. */
  const negatives = new Map<string, number>();
  const lookUps = new SingleFlight<ConnectorChange>();

  const believed = (hash: string): ConnectorChange | undefined => {
    const known = keys.byHash(hash, now());
    if (known) used(hash);
    return known;
  };

  /** Asks again when the topic delivered a newer state of the connector meanwhile: the answer may be out of date. */
  const ask = async (hash: string): Promise<ConnectorChange | undefined> => {
    for (let asked = 1; ; asked += 1) {
      const answer = await reader.connectorByKeyHash(hash);
      if (answer) keys.found(answer);
      const known = believed(hash);
      if (known || !answer || asked === maxAsked) return known;
    }
  };

  const places = createCallerPlaces({ perCaller: perNetwork, maxWaiting });
  let asking = 0;

  const lookUp = async (hash: string, network: string): Promise<ConnectorChange> => {
    // Other requests of the network may have used up the limit while this one waited.
    budget.assertMayLookUp(network);
    if (asking >= maxLookUps) throw apiError('event_ingestion_unavailable');
    let known: ConnectorChange | undefined;
    asking += 1;
    try {
      known = await ask(hash);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw apiError('event_ingestion_unavailable');
      throw error;
    } finally {
      asking -= 1;
    }
    if (known) return known;
    if (negatives.size >= maxNegatives) negatives.clear();
    negatives.set(hash, monotonicNow() + negativeMs);
    budget.unknownKey(network);
    throw apiError('Invalid or revoked API key');
  };

  return (header, network) => {
    if (header === undefined || header === '') throw apiError('Missing x-api-key header');
    const hash = sha256Hex(String(header));
    const known = believed(hash);
    if (known) return known;
    if ((negatives.get(hash) ?? 0) > monotonicNow()) throw apiError('Invalid or revoked API key');
    const asked = lookUps.joined(hash);
    if (asked) return asked;
    const caller = network();
    budget.assertMayLookUp(caller);
    return lookUps.run(hash, async () => {
      const answer = places.run(caller, () => lookUp(hash, caller));
      if (answer !== 'full') return answer;
      throw rateLimitError({ limit: perNetwork, remaining: 0, resetMs: negativeMs });
    });
  };
}
