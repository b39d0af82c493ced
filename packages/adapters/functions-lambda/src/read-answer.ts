import type { InvocationResponse } from '@aws-sdk/client-lambda';
import {
  type FunctionAnswer, functionAnswerDepth, type FunctionBounds, type FunctionLimit, type FunctionRun, isNestedDeeper,
} from '@sluice/ports';
import { isLogLine, type LogTail, readLogTail } from './log-tail';

/** How an answer is read. */
export interface Reading {
  bounds: FunctionBounds;
  /** Masks the secrets that were handed in. */
  mask(text: string): string;
}

/** What the harness answers. The function's code may have forged it, so that every field is checked. */
export interface HarnessAnswer {
  kind?: unknown;
  text?: unknown;
  limit?: unknown;
  message?: unknown;
  logs?: unknown;
  dropped?: unknown;
  ms?: unknown;
  mb?: unknown;
}

/** The answer as the harness gave it; null: it is no JSON object. */
export function harnessAnswer({ Payload }: InvocationResponse): HarnessAnswer | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(Payload ?? []).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** How an invocation ended. @param answer of Lambda, to a request that it did not refuse */
export function readAnswer(answer: InvocationResponse, reading: Reading): FunctionAnswer {
  const given = harnessAnswer(answer);
  const tail = readLogTail(answer.LogResult);
  if (answer.FunctionError !== undefined || given === null) return brokenOff(given, tail, reading);
  const run = runOf(given, tail, reading);
  const message = reading.mask(textOr(given.message, 'it failed without a message'));
  switch (given.kind) {
    case 'empty':
      return { kind: 'missing' };
    case 'returned':
      return typeof given.text === 'string' ? returned(given.text, run, reading.bounds) : noAnswer;
    case 'limit':
      return { kind: 'limit', limit: limitOf(given.limit), message, ...run };
    case 'threw':
      return { kind: 'threw', message, ...run };
    default:
      return noAnswer;
  }
}

const noAnswer: FunctionAnswer = { kind: 'interrupted', message: 'the function gave no answer that can be read' };

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
const countOf = (value: unknown): number => (typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : 0);
const limits: readonly FunctionLimit[] = ['time', 'memory', 'stack', 'response'];
const limitOf = (value: unknown): FunctionLimit => limits.find((limit) => limit === value) ?? 'time';

function runOf(given: HarnessAnswer, { memoryMb }: LogTail, { bounds, mask }: Reading): FunctionRun {
  const all = Array.isArray(given.logs) ? given.logs.filter(isLogLine) : [];
  const logs = all.slice(0, bounds.logLines).map(({ at, level, message }) =>
    ({ at, level, message: mask(message.slice(0, bounds.logLineBytes)) }));
  return { logs, logsDropped: countOf(given.dropped), durationMs: countOf(given.ms), memoryMb: memoryMb ?? countOf(given.mb) };
}

function returned(text: string, run: FunctionRun, bounds: FunctionBounds): FunctionAnswer {
  const over = (message: string): FunctionAnswer => ({ kind: 'limit', limit: 'response', message, ...run });
  if (Buffer.byteLength(text) > bounds.responseBytes)
    return over(`its answer is longer than ${bounds.responseBytes / 1_048_576} MiB of JSON`);
  if (isNestedDeeper(text, functionAnswerDepth)) return over(`its answer is nested more than ${functionAnswerDepth} deep`);
  try {
    // Without keys that copying would make a prototype.
    const value: unknown = JSON.parse(text, (key, inner: unknown) => (key === '__proto__' ? undefined : inner));
    return { kind: 'returned', value, ...run };
  } catch {
    return { kind: 'threw', message: 'what it returned is no JSON', ...run };
  }
}

/** Lambda ended it, or its process ended: all there is of it are the words of Lambda and the end of its log. */
function brokenOff(given: HarnessAnswer | null, { logs, memoryMb }: LogTail, { bounds, mask }: Reading): FunctionAnswer {
  const { errorType, errorMessage } = (given ?? {}) as { errorType?: unknown; errorMessage?: unknown };
  const words = `${textOr(errorType, '')} ${textOr(errorMessage, '')}`;
  const lines = logs.map((line) => ({ ...line, message: mask(line.message) }));
  const run: FunctionRun = { logs: lines, logsDropped: 0, durationMs: 0, memoryMb: memoryMb ?? 0 };
  const over = (limit: FunctionLimit, message: string): FunctionAnswer => ({ kind: 'limit', limit, message, ...run });
  if (/Task timed out|Sandbox\.Timedout/.test(words)) return over('time', `it took longer than ${bounds.wallMs / 1_000} s`);
  if (/OutOfMemory|signal: killed/.test(words)) return over('memory', `it used more than ${bounds.memoryMb} MiB`);
  if (words.includes('ResponseSizeTooLarge')) return over('response', 'its answer is longer than Lambda carries');
  return { kind: 'interrupted', message: 'the process that ran it ended' };
}
