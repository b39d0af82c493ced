import type { ConnectorKeys } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import type { ConfigReader, WallClock } from '@sluice/ports';
import { apiError, sha256Hex } from '@sluice/service-kit';
import type { LookUps } from '../limits/look-ups';

/**
 * The connector that a request's `x-api-key` belongs to; synchronous when the key is in memory. Throws HttpError 401; for a key
 * that is not in memory also 503 when the look-up fails, and 429 when the caller's network has tried too many keys that do not
 * exist.
 */
export type AuthenticateKey = (
  header: string | string[] | undefined,
  network: () => string,
) => ConnectorChange | Promise<ConnectorChange>;

/** Repeated look-ups of one key while its connector keeps changing. */
const maxAsked = 3;

export function createAuthenticateKey(options: {
  keys: ConnectorKeys;
  reader: Pick<ConfigReader, 'connectorByKeyHash'>;
  lookUps: LookUps<ConnectorChange>;
  /** Keys end at a time of their own. */
  now: WallClock;
  /** Called for every valid key. */
  used(hash: string): void;
}): AuthenticateKey {
  const { keys, lookUps, reader, now, used } = options;

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

  const lookUp = async (hash: string, network: () => string): Promise<ConnectorChange> => {
    const known = await lookUps.run(hash, network, () => ask(hash));
    if (!known) throw apiError('Invalid or revoked API key');
    return known;
  };

  return (header, network) => {
    if (header === undefined || header === '') throw apiError('Missing x-api-key header');
    const hash = sha256Hex(String(header));
    return believed(hash) ?? lookUp(hash, network);
  };
}
