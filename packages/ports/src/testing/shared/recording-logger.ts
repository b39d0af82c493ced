import type { LogFields, Logger } from '../../logger';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: LogFields;
}

/** A logger that keeps its lines, those of its children too. */
export function createRecordingLogger(): Logger & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { ...loggerInto(lines, {}), lines };
}

function loggerInto(lines: LogLine[], common: LogFields): Logger {
  const keep = (level: LogLine['level']) => (message: string, fields?: LogFields | (() => LogFields)) =>
    void lines.push({ level, message, fields: { ...common, ...(typeof fields === 'function' ? fields() : fields) } });
  return {
    debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error'),
    child: (fields) => loggerInto(lines, { ...common, ...fields }),
  };
}
