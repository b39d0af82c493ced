import { trace } from '@opentelemetry/api';
import type { LogFields, Logger } from '@sluice/ports';
import winston from 'winston';
import { withPseudonyms } from './pseudonyms';
import { readableLine } from './readable-line';
import { redact, redactedMark } from './redact';

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  /** On every line as `service`. */
  service: string;
  /** Default `info`. */
  level?: LogLevel;
  /** Texts that are masked wherever they appear (`secretValues` of the settings). */
  secrets?: readonly string[];
  /** SLUICE_LOG_PERSONAL_DATA: email addresses and external ids stand in lines as they are. Default false: hashed. */
  personalData?: boolean;
  /** Default stdout. */
  stream?: NodeJS.WritableStream;
  /** A second stream, for those of the lines that are of `level` or above. */
  copy?: { stream: NodeJS.WritableStream; level: LogLevel };
  /** Lines for people instead of JSON. Default: when the stream is a terminal. */
  readable?: boolean;
}

export type RootLogger = Logger & {
  /**
   * Masks one more text from now on, in children too. A text of less than 6 characters is ignored, because it would match by
   * chance.
   */
  hide(secret: string): void;
};

type Line = Record<string, unknown> & { level: string; message: string };

/**
 * A logger that writes one JSON object per line: `time`, `level`, `service`, `message`, then the fields, and
 * `trace_id` inside a trace. Secrets are redacted by field name and by registered value, personal data is hashed.
 */
export function createLogger(options: LoggerOptions): RootLogger {
  const stream = options.stream ?? process.stdout;
  const readable = options.readable ?? (stream as { isTTY?: boolean }).isTTY === true;
  const hidden = new Set<string>();
  const hide = (secret: string): void => void (secret.length >= 6 && hidden.add(secret).add(JSON.stringify(secret).slice(1, -1)));
  options.secrets?.forEach(hide);
  const level = options.level ?? 'info';
  // winston looks at the level of a target, where it has one, and not at the logger's.
  const { copy } = options;
  const targets = [{ stream, level }, ...(copy ? [{ stream: copy.stream, level: stricter(copy.level, level) }] : [])];
  const write = winston.createLogger({
    level,
    levels: { error: 0, warn: 1, info: 2, debug: 3 },
    format: winston.format.printf((info) => blot((readable ? readableLine : jsonLine)(info as Line), hidden)),
    transports: targets.map((target) => new winston.transports.Stream(target)),
  });
  const personal = options.personalData === true ? unchanged : withPseudonyms;
  // winston would compare the levels again at every call, and most calls are of lines that nobody wants.
  const wanted = new Set(logLevels.filter((one) => write.isLevelEnabled(one)));
  return { ...logWith({ write, wanted, personal }, { service: options.service }), hide };
}

function stricter(one: LogLevel, other: LogLevel): LogLevel {
  return logLevels.indexOf(one) > logLevels.indexOf(other) ? one : other;
}

type Personal = <T>(fields: T) => T;
const unchanged: Personal = (fields) => fields;

interface LogTarget {
  write: winston.Logger;
  /** Levels of lines that are written. */
  wanted: ReadonlySet<LogLevel>;
  personal: Personal;
}

function logWith(target: LogTarget, base: LogFields): Logger {
  const { write, wanted, personal } = target;
  const writer = (level: LogLevel) => (message: string, fields?: LogFields | (() => LogFields)): void => {
    if (!wanted.has(level)) return;
    const safe = redact({ ...base, ...traceFields(), ...(typeof fields === 'function' ? fields() : fields) }) as Record<
      string,
      unknown
    >;
    const line = personal({ ...renameReserved(safe), message });
    write.log({ time: new Date().toISOString(), ...line, level });
  };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    child: (fields) => logWith(target, { ...base, ...fields }),
  };
}

/** A field named like a part of the line keeps its value under another name instead of replacing that part. */
function renameReserved(fields: Record<string, unknown>): Record<string, unknown> {
  const names = ['time', 'level', 'message', 'splat'];
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names.includes(name) ? `${name}_` : name, value]));
}

/** The same order on every line, for readers of raw lines. */
function jsonLine({ time, level, service, message, ...fields }: Line): string {
  return JSON.stringify({ time, level, service, message, ...fields });
}

function traceFields(): LogFields {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId } : {};
}

function blot(line: string, hidden: ReadonlySet<string>): string {
  let clean = line;
  for (const secret of hidden) if (clean.includes(secret)) clean = clean.replaceAll(secret, redactedMark);
  return clean;
}
