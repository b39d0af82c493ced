import type { ConnectorKeys } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import { type ConfigReader, SingleFlight, StoreUnavailable } from '@sluice/ports';
import { apiError, rateLimitError, sha256Hex } from '@sluice/service-kit';
import { createCallerPlaces } from '../limits/caller-places';
import type { WorkBudget } from '../limits/work-budget';

/**
 * The connector a request's `x-api-key` belongs to; at once when memory knows the key. Throws HttpError 401, or, when the key is
 * not known here, 503 when the look-up cannot be made and 429 when the network has tried too many keys that do not exist.
 */
export type AuthenticateKey = (
  header: string | string[] | undefined,
  network: () => string,
) => ConnectorChange | Promise<ConnectorChange>;

/** How long a key that does not exist is not asked for again. */
const negativeMs = 1_000;
/** Look-ups at once; a flood of made-up keys must not take the database's connections. */
const maxLookUps = 32;
/** Of one network at once, and as many as may wait for that: who makes up keys does not keep others from being looked up. */
const [perNetwork, maxWaiting] = [4, 64];
const maxNegatives = 10_000;
/** Look-ups of one key in a row while its connector keeps changing. */
const maxAsked = 3;

export function createAuthenticateKey(options: {
  keys: ConnectorKeys;
  reader: Pick<ConfigReader, 'connectorByKeyHash'>;
  budget: Pick<WorkBudget, 'assertMayLookUp' | 'unknownKey'>;
  now(): number;
  /** Hears of every key that was believed. */
  used(hash: string): void;
}): AuthenticateKey {
  const { keys, reader, budget, now, used } = options;
  /** Hash to the time until which it counts as unknown. */
  const negatives = new Map<string, number>();
  const lookUps = new SingleFlight<ConnectorChange>();

  const believed = (hash: string): ConnectorChange | undefined => {
    const known = keys.byHash(hash, now());
    if (known) used(hash);
    return known;
  };

  /** Asked again when the topic told something newer of the connector meanwhile: the answer was of an older state. */
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
    // What others of the network have tried meanwhile counts.
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
    negatives.set(hash, now() + negativeMs);
    budget.unknownKey(network);
    throw apiError('Invalid or revoked API key');
  };

  return (header, network) => {
    if (header === undefined || header === '') throw apiError('Missing x-api-key header');
    const hash = sha256Hex(String(header));
    const known = believed(hash);
    if (known) return known;
    if ((negatives.get(hash) ?? 0) > now()) throw apiError('Invalid or revoked API key');
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
