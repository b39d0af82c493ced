import { randomInt } from 'node:crypto';
import type { FunctionBounds, FunctionLimit, FunctionLogLevel, FunctionLogLine } from '@sluice/ports';

/** By the numbers of `guest.js`. Not imported: a child would need half of its start for the packages of the service. */
const logLevels: readonly FunctionLogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Timers of one invocation at once. */
const maxTimers = 1_000;

/** How the guest's part of an invocation ended. */
export type InvocationEnd =
  | { kind: 'returned'; text: string }
  | { kind: 'threw'; message: string }
  | { kind: 'limit'; limit: FunctionLimit; message: string };

export type FailedEnd = Exclude<InvocationEnd, { kind: 'returned' }>;

/** Exceptions by which QuickJS says that a bound was reached. */
const limits: Readonly<Record<string, { limit: FunctionLimit; message: string }>> = {
  'InternalError: interrupted': { limit: 'time', message: 'it took too long' },
  'InternalError: out of memory': { limit: 'memory', message: 'it used more memory than it may' },
  'InternalError: stack overflow': { limit: 'stack', message: 'it used more of the stack than it may' },
};

/**
 * @param message what was thrown, with its name unless that is `Error`
 * @param isFull whether the memory is used up: then even the exception that says so cannot be made, and `null` is thrown
 */
export function endOfThrown(message: string, isFull: boolean): FailedEnd {
  if (message === 'null' && isFull) return { kind: 'limit', ...limits['InternalError: out of memory']! };
  const limit = Object.hasOwn(limits, message) ? limits[message] : undefined;
  return limit ? { kind: 'limit', ...limit } : { kind: 'threw', message };
}

/** A request of the guest, to be made outside. */
export interface GuestRequest {
  /** JSON of url, method and headers. */
  head: string;
  body: Buffer | null;
}

/** An answer to a request. */
export interface GuestAnswer {
  ok: boolean;
  /** JSON of status, url, redirected and headers; of a failed one why. */
  head: string;
  body: Buffer;
}

/** What an invocation does outside of its instance. */
export interface InvocationHost {
  request(call: number, request: GuestRequest): void;
  /** Called once. */
  ended(end: InvocationEnd): void;
  /** A timer of the guest is due. */
  fire(timer: number): void;
}

/** The state of one invocation that lies outside of QuickJS: bounds, log, timers and answers. It ends once. */
export class Invocation {
  readonly logs: FunctionLogLine[] = [];
  readonly startedAt = performance.now();
  readonly deadline: number;
  logsDropped = 0;
  private readonly timers = new Map<number, NodeJS.Timeout>();
  private readonly bodies = new Map<number, Buffer>();
  private readonly open = new Set<number>();
  private requests = 0;
  private ended = false;

  constructor(
    private readonly bounds: FunctionBounds,
    private readonly host: InvocationHost,
  ) {
    this.deadline = this.startedAt + bounds.wallMs;
    const timer = setTimeout(() => this.overTime(), bounds.wallMs);
    this.timers.set(-1, timer);
  }

  get isOver(): boolean {
    return this.ended;
  }

  get durationMs(): number {
    return performance.now() - this.startedAt;
  }

  /** Whether nothing is under way that could still settle the handler's promise. */
  get waitsForNothing(): boolean {
    return this.timers.size === 1 && this.open.size === 0;
  }

  end(end: InvocationEnd): void {
    if (this.ended) return;
    this.ended = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.bodies.clear();
    this.host.ended(end);
  }

  overTime(): void {
    const seconds = this.bounds.wallMs / 1_000;
    this.end({ kind: 'limit', limit: 'time', message: `it took longer than ${seconds} s` });
  }

  log(level: number, line: string): void {
    if (this.logs.length >= this.bounds.logLines) {
      this.logsDropped += 1;
      return;
    }
    const known = logLevels[level] ?? 'info';
    this.logs.push({ at: Date.now(), level: known, message: cutBytes(line, this.bounds.logLineBytes) });
  }

  /** @param id of a timer that is set again @returns the timer's id; null: there are too many */
  startTimer(ms: number, id?: number): number | null {
    if (this.timers.size > maxTimers) return null;
    const timer = id ?? randomInt(2 ** 47);
    const wait = Math.min(Math.max(Number.isFinite(ms) ? ms : 0, 0), this.bounds.wallMs);
    this.timers.set(timer, setTimeout(() => {
      this.timers.delete(timer);
      this.host.fire(timer);
    }, wait));
    return timer;
  }

  stopTimer(id: number): void {
    if (id < 0) return;
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }

  /** @returns the number of the request, or why it is refused */
  request(request: GuestRequest): number | string {
    if (this.requests >= this.bounds.fetches) return `more than ${this.bounds.fetches} calls of fetch`;
    if (request.body !== null && request.body.length > this.bounds.fetchBytes)
      return `the body of a request is longer than ${this.bounds.fetchBytes} bytes`;
    this.requests += 1;
    this.open.add(this.requests);
    this.host.request(this.requests, request);
    return this.requests;
  }

  /** Takes the answer to an open request. @returns false: it was not open */
  answered(call: number, body: Buffer): boolean {
    if (!this.open.delete(call)) return false;
    this.bodies.set(call, body);
    return true;
  }

  body(call: number): Buffer {
    return this.bodies.get(call) ?? Buffer.alloc(0);
  }
}

/** A text cut to at most so many bytes of UTF-8, at a character. */
function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
