const colours: Record<string, number> = { error: 31, warn: 33, info: 36, debug: 90 };

/** A log line for people: time of day, level, service, message, then `name=value`; an error's stack below. */
export function readableLine(line: Record<string, unknown> & { level: string; message: string }): string {
  const { time, level, service, message, error, ...fields } = line;
  const { stack, ...errorFields } = isObject(error) ? error : { stack: undefined, ...(error === undefined ? {} : { error }) };
  const shown = Object.entries({ ...fields, ...errorFields }).map(([name, value]) => `${name}=${text(value)}`);
  const head = `${String(time).slice(11, 23)} \u001b[${colours[level] ?? 0}m${level.padEnd(5)}\u001b[0m ${String(service)}: ${message}`;
  return [[head, ...shown].join(' '), ...(typeof stack === 'string' ? [stack] : [])].join('\n');
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function text(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value) ?? 'undefined';
}
