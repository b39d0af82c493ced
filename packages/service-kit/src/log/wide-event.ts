import type { LogFields, Logger } from '@sluice/ports';

/** Collects the facts of one request or event, and logs them as one line at its end. */
export interface WideEvent {
  /** Adds fields; a later value of the same name wins. */
  add(fields: LogFields): void;
  /** Adds to a number. */
  count(name: string, by?: number): void;
  /** Logs the line, with `duration_ms`. A second call does nothing. */
  end(level?: 'debug' | 'info' | 'warn' | 'error', fields?: LogFields): void;
}

/** Starts a wide event: `message` names the kind (`request`, `event`), the line comes with `end`. */
export function startWideEvent(logger: Logger, message: string, first: LogFields = {}): WideEvent {
  const started = performance.now();
  const fields: LogFields = { ...first };
  let ended = false;
  return {
    add: (more) => void Object.assign(fields, more),
    count: (name, by = 1) => void (fields[name] = ((fields[name] as number | undefined) ?? 0) + by),
    end: (level = 'info', last = {}) => {
      if (ended) return;
      ended = true;
      logger[level](message, { ...fields, ...last, duration_ms: Math.round((performance.now() - started) * 100) / 100 });
    },
  };
}
