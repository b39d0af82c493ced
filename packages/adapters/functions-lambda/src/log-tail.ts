import { type FunctionLogLine, functionLogLevels } from '@sluice/ports';

/** The last 4 KiB of what an invocation printed, read. */
export interface LogTail {
  /** What the plugin logged last. The first line of a tail may be cut, and is left out then. */
  logs: FunctionLogLine[];
  /** MiB; null: Lambda has not reported it. */
  memoryMb: number | null;
}

/** @param base64 as `LogResult` of an invocation */
export function readLogTail(base64: string | undefined): LogTail {
  const text = Buffer.from(base64 ?? '', 'base64').toString('utf8');
  const memory = /^REPORT .*Max Memory Used: ([0-9]+) MB/m.exec(text)?.[1];
  return { logs: text.split('\n').flatMap(lineOf), memoryMb: memory === undefined ? null : Number(memory) };
}

function lineOf(text: string): FunctionLogLine[] {
  const start = text.indexOf('{"plugin":');
  if (start === -1) return [];
  try {
    const { plugin } = JSON.parse(text.slice(start)) as { plugin: Partial<FunctionLogLine> };
    return isLogLine(plugin) ? [plugin] : [];
  } catch {
    return [];
  }
}

/** What comes from a function is checked: its code may print and answer whatever it likes. */
export function isLogLine(value: unknown): value is FunctionLogLine {
  const { at, level, message } = (value ?? {}) as Partial<FunctionLogLine>;
  return Number.isFinite(at) && typeof message === 'string' && functionLogLevels.includes(level!);
}
