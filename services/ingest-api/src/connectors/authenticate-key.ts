import type { ConnectorChange } from '@sluice/contracts';
import { type ConfigReader, StoreUnavailable } from '@sluice/ports';
import { apiError, sha256Hex } from '@sluice/service-kit';
import type { ConnectorDirectory } from './connector-directory';

/**
 * The connector a request's `x-api-key` belongs to; at once when memory knows the key. Throws HttpError 401, or 503 when
 * the key is not known here and the look-up cannot be made (DESIGN 2.1).
 */
export type AuthenticateKey = (header: string | string[] | undefined) => ConnectorChange | Promise<ConnectorChange>;

/** How long a key that does not exist is not asked for again. */
const negativeMs = 1_000;
/** Look-ups at once; a flood of made-up keys must not take the database's connections. */
const maxLookUps = 32;
const maxNegatives = 10_000;

export function createAuthenticateKey(options: {
  directory: ConnectorDirectory;
  reader: Pick<ConfigReader, 'connectorByKeyHash'>;
  now(): number;
  /** Hears of every key that was believed. */
  used(hash: string): void;
}): AuthenticateKey {
  const { directory, reader, now, used } = options;
  /** Hash to the time until which it counts as unknown. */
  const negatives = new Map<string, number>();
  const pending = new Map<string, Promise<ConnectorChange>>();

  const believed = (hash: string): ConnectorChange | undefined => {
    const known = directory.byKeyHash(hash, now());
    if (known) used(hash);
    return known;
  };

  const lookUp = async (hash: string): Promise<ConnectorChange> => {
    try {
      const change = await reader.connectorByKeyHash(hash);
      if (change) directory.heard(change);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw apiError('event_ingestion_unavailable');
      throw error;
    } finally {
      pending.delete(hash);
    }
    const known = believed(hash);
    if (known) return known;
    if (negatives.size >= maxNegatives) negatives.clear();
    negatives.set(hash, now() + negativeMs);
    throw apiError('Invalid or revoked API key');
  };

  return (header) => {
    if (header === undefined || header === '') throw apiError('Missing x-api-key header');
    const hash = sha256Hex(String(header));
    const known = believed(hash);
    if (known) return known;
    if ((negatives.get(hash) ?? 0) > now()) throw apiError('Invalid or revoked API key');
    let asked = pending.get(hash);
    if (!asked) {
      if (pending.size >= maxLookUps) throw apiError('event_ingestion_unavailable');
      asked = lookUp(hash);
      pending.set(hash, asked);
    }
    return asked;
  };
}
