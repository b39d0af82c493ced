/** Fields of a log line: snake_case names, JSON-able values. Values under secret-looking keys are redacted by the logger. */
export type LogFields = Record<string, unknown>;

/**
 * The logger for all packages. The implementation is service-kit's `createLogger`. `message` is a constant text; variable parts
 * go into `fields`. An Error has the key `error`.
 */
export interface Logger {
  /** @param fields or a function that collects them, called only when the line is written */
  debug(message: string, fields?: LogFields | (() => LogFields)): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger, with fields that every line of it carries. */
  child(fields: LogFields): Logger;
}

/** Logs nothing: for tests and tools. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
