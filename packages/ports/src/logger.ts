/** Fields of a log line: snake_case names, JSON-able values. Values under secret-looking keys are redacted by the logger. */
export type LogFields = Record<string, unknown>;

/**
 * What everything below the services needs of a logger. The implementation is service-kit's `createLogger`.
 * `message` is a constant sentence; what varies goes into `fields`. An Error goes under the key `error`.
 */
export interface Logger {
  /** @param fields where they cost something to gather, how: called only when the line is written */
  debug(message: string, fields?: LogFields | (() => LogFields)): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger, with fields that every line of it carries. */
  child(fields: LogFields): Logger;
}

/** Says nothing: for tests and tools. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
