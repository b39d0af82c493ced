import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import { sha256Hex } from '@sluice/service-kit';

/** The answer to an accepted event. */
export interface AcceptedEvent {
  event_id: string;
  entities_count: number;
  hint: string | null;
}

/**
 * The answers given under an Idempotency-Key, kept for 24 h. A cache: without it a resend gets the same derived id, and the
 * runner drops it as already done. An answer is stored only after the log has acknowledged the event.
 */
export interface IdempotencyCache {
  find(connectorId: string, key: string): Promise<AcceptedEvent | null>;
  set(connectorId: string, key: string, answer: AcceptedEvent): Promise<void>;
}

const ttlMs = 86_400_000;

export function createIdempotencyCache(kv: Pick<KeyValue, 'get' | 'setIfAbsent'>, logger: Logger): IdempotencyCache {
  const nameOf = (connectorId: string, key: string): string => `event-resend:${connectorId}:${sha256Hex(key)}`;
  const away = (error: unknown): null => {
    if (!(error instanceof KeyValueUnavailable)) throw error;
    logger.debug('idempotency cache cannot be reached', { error });
    return null;
  };
  return {
    find: async (connectorId, key) => {
      const text = await kv.get(nameOf(connectorId, key)).catch(away);
      return text === null ? null : (JSON.parse(text) as AcceptedEvent);
    },
    set: async (connectorId, key, answer) =>
      void (await kv.setIfAbsent(nameOf(connectorId, key), JSON.stringify(answer), { ttlMs }).catch(away)),
  };
}
