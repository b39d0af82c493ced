import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import { sha256Hex } from '@sluice/service-kit';

/**
 * The ids of events that were accepted under a dedupe value, kept for 24 h. A cache: without it a repeated call gets the same
 * derived ids, and the runner drops its events as done already. An id is stored only after the log has acknowledged the event.
 */
export interface KnownEvents {
  /** In the order of `values`; null: not known. */
  find(source: string, values: readonly string[]): Promise<(string | null)[]>;
  set(source: string, events: readonly { dedupe: string; eventId: string }[]): Promise<void>;
}

const ttlMs = 86_400_000;

export function createKnownEvents(kv: Pick<KeyValue, 'getMany' | 'setIfAbsent'>, logger: Logger): KnownEvents {
  const keyOf = (source: string, value: string): string => `source-event:${source}:${sha256Hex(value)}`;
  const away = (error: unknown): void => {
    if (!(error instanceof KeyValueUnavailable)) throw error;
    logger.debug('known events cannot be reached', { error });
  };
  return {
    find: async (source, values) => {
      if (values.length === 0) return [];
      const found = await kv.getMany(values.map((value) => keyOf(source, value))).catch(away);
      return found ?? values.map(() => null);
    },
    set: async (source, events) => {
      const writes = events.map(({ dedupe, eventId }) => kv.setIfAbsent(keyOf(source, dedupe), eventId, { ttlMs }));
      await Promise.all(writes).catch(away);
    },
  };
}
