import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { FunctionLimit, Logger } from '@sluice/ports';
import type { GuestAnswer } from '../sandbox/invocation';
import type { ChildOptions } from '../sandbox/child-options';
import { BadFrame, encodeFrame, FrameReader } from '../wire/frames';
import type { EndFacts, FromChild, ToChild } from '../wire/messages';
import { readMessage } from '../wire/read-message';
import { ChildPriority } from './child-priority';
import { type ChildScript, spawnChild } from './spawn-child';

export interface GuestChildOptions {
  script: ChildScript;
  child: ChildOptions;
  /** Bytes of one frame of a child. */
  maxFrameBytes: number;
  logger: Logger;
}

/**
 * How an invocation in a child ended. `gone`: the child ended first. `hung`: it was ended because it did not answer; `alone`:
 * nothing else was under way in it.
 */
export type ChildEnd =
  | ({ kind: 'returned'; text: string } & EndFacts)
  | ({ kind: 'threw'; message: string } & EndFacts)
  | ({ kind: 'limit'; limit: FunctionLimit; message: string } & EndFacts)
  | { kind: 'gone'; reason: string; hung: boolean; alone: boolean };

/** Whether a function's module was evaluated. `problem`: why it cannot run. */
export type Loaded = { kind: 'loaded' } | { kind: 'problem'; message: string } | { kind: 'gone'; reason: string };

/** Makes a request for the function. */
export type MakeRequest = (head: string, body: Buffer | null) => Promise<GuestAnswer>;

interface UnderWay {
  sentAt: number;
  /** Bytes that service and child have exchanged for it. */
  moved: number;
  calls: Set<number>;
  request: MakeRequest;
  settle(end: ChildEnd): void;
}

/** How much the last invocation counts in the average. */
const weightOfLast = 0.2;
/** A child that computes for so long without a word is silent, milliseconds. */
const silentMs = 100;
/** Calls of fetch that one invocation may have made, whatever the setting: more is no mistake but an attack. */
const mostCalls = 1_000;

/**
 * One child process, which serves one organization, the first that it was given to. The service treats it as hostile: whatever it
 * sends is checked, and one wrong frame ends it. A child that has ended answers everything with `gone`.
 */
export class GuestChild {
  organizationId: string | null = null;
  /** Set once it shall take no more work. */
  retiring = false;
  /** Work that was given to it and has not ended. */
  claims = 0;
  /** Whether its work must stay the only one. */
  exclusive = false;
  /** Milliseconds that an invocation keeps it busy, on average of the last ones; null: none has ended. */
  busyMs: number | null = null;
  /** Monotonic milliseconds: when it was given its organization, and when it was last used or heard of. */
  assignedAt = 0;
  heardAt = performance.now();
  /** Protections of the operating system that do not hold in it, known once it is ready. */
  missingWalls: readonly string[] = [];
  /** Resolves when it takes work, or is gone. */
  readonly ready: Promise<void>;
  readonly gone: Promise<void>;
  readonly priority: ChildPriority;
  private readonly process: ChildProcess;
  private readonly underWay = new Map<number, UnderWay>();
  private readonly loads = new Map<string, { answer: Promise<Loaded>; settle(loaded: Loaded): void }>();
  private isReady: (() => void) | null = null;
  private ended: string | null = null;
  private hung = false;
  private invocations = 0;
  /** Requests of functions that have no answer yet, and when the last one got it. */
  private openRequests = 0;
  private answeredAt = -Infinity;

  /** @param moved told of each invocation that ended: how many bytes were exchanged for it */
  constructor(
    private readonly options: GuestChildOptions,
    private readonly moved: (child: GuestChild, bytes: number) => void = () => undefined,
  ) {
    this.process = spawnChild(options.script, options.child);
    this.ready = new Promise((resolve) => (this.isReady = resolve));
    this.gone = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.concludeAll(reason);
        this.isReady?.();
        resolve();
      };
      this.process.once('exit', (code, signal) => end(this.ended ?? `it ended by itself (${signal ?? code})`));
      this.process.once('error', (error) => end(`it could not be started: ${error.message}`));
    });
    this.priority = new ChildPriority(this.process.pid);
    this.listen();
  }

  get isGone(): boolean {
    return this.ended !== null || this.process.exitCode !== null || this.process.signalCode !== null;
  }

  get isStarting(): boolean {
    return this.isReady !== null;
  }

  get load(): number {
    return this.underWay.size;
  }

  get served(): number {
    return this.invocations;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Whether a function in it seems to compute: it waits for nothing of the service, and was not heard of for a while. */
  get isSilent(): boolean {
    const since = Math.max(this.heardAt, this.answeredAt);
    return this.underWay.size > 0 && this.openRequests === 0 && performance.now() - since > silentMs;
  }

  /** When the invocation that is under way longest was sent; null: none is. */
  get oldestSentAt(): number | null {
    const [first] = this.underWay.values();
    return first ? first.sentAt : null;
  }

  /** Prepares it for the first function it will get. To be called when it is ready. */
  warmUp(): void {
    this.tell({ t: 'warm' });
  }

  /** Loads a function's code once. Rejects as `code` does. */
  ensure(key: string, code: () => Promise<string>): Promise<Loaded> {
    const known = this.loads.get(key);
    if (known) return known.answer;
    let settle!: (loaded: Loaded) => void;
    const loaded = new Promise<Loaded>((resolve) => (settle = resolve));
    const answer = code().then((text) => {
      if (this.isGone) return { kind: 'gone' as const, reason: this.ended ?? 'it ended' };
      this.tell({ t: 'code', key }, Buffer.from(text, 'utf8'));
      return loaded;
    });
    this.loads.set(key, { answer, settle });
    answer.then(({ kind }) => (kind === 'loaded' ? undefined : this.loads.delete(key)), () => this.loads.delete(key));
    return answer;
  }

  drop(key: string): void {
    if (this.loads.delete(key)) this.tell({ t: 'drop', key });
  }

  /** The loaded functions, the one that was used longest ago first. */
  get keys(): string[] {
    return [...this.loads.keys()];
  }

  /** Runs a loaded function. */
  run(key: string, payload: Buffer, request: MakeRequest): Promise<ChildEnd> {
    const load = this.loads.get(key);
    if (load) {
      this.loads.delete(key);
      this.loads.set(key, load);
    }
    return new Promise((settle) => {
      if (this.isGone) return settle({ kind: 'gone', reason: this.ended ?? 'it ended', hung: false, alone: false });
      const id = (this.invocations += 1);
      if (this.underWay.size === 0) this.heardAt = performance.now();
      this.underWay.set(id, { sentAt: performance.now(), moved: payload.length, calls: new Set(), request, settle });
      this.tell({ t: 'run', id, key }, payload);
    });
  }

  /** Ends the process and its group, which it may not have before it is ready. `hung`: because it does not answer. */
  kill(reason: string, hung = false): void {
    if (this.isGone) return;
    this.ended = reason;
    this.hung = hung;
    const { pid } = this.process;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      this.process.kill('SIGKILL');
    }
  }

  private get channel(): Duplex {
    return this.process.stdio[3] as Duplex;
  }

  private listen(): void {
    const { logger, maxFrameBytes } = this.options;
    const reader = new FrameReader(maxFrameBytes);
    this.channel.on('data', (chunk: Buffer) => {
      try {
        for (const { head, body, bytes } of reader.push(chunk)) if (!this.isGone) this.take(readMessage(head), body, bytes);
      } catch (error) {
        if (!(error instanceof BadFrame)) throw error;
        logger.error('a child of functions sent what it may not, and was ended', {
          organization_id: this.organizationId, problem: error.message,
        });
        this.kill('it broke the protocol');
      }
    });
    // The end of the process says the same.
    this.channel.on('error', () => undefined);
  }

  private take(message: FromChild, body: Buffer, bytes: number): void {
    this.heardAt = performance.now();
    const running = 'id' in message ? this.underWay.get(message.id) : undefined;
    if (running) running.moved += bytes;
    switch (message.t) {
      case 'ready':
        return this.becomeReady(message);
      case 'loaded': {
        const load = this.loads.get(message.key);
        if (!load) throw new BadFrame('it loaded what it was not given');
        return load.settle(message.problem === null ? { kind: 'loaded' } : { kind: 'problem', message: message.problem });
      }
      case 'fetch':
        return this.request(message, body);
      default:
        return this.conclude(message, body);
    }
  }

  private becomeReady({ missing }: Extract<FromChild, { t: 'ready' }>): void {
    if (!this.isReady) throw new BadFrame('it was ready already');
    this.missingWalls = missing;
    this.isReady();
    this.isReady = null;
  }

  private request({ id, call, head, hasBody }: Extract<FromChild, { t: 'fetch' }>, body: Buffer): void {
    const running = this.underWay.get(id);
    if (!running || running.calls.has(call) || running.calls.size >= mostCalls) throw new BadFrame('a request out of place');
    running.calls.add(call);
    this.openRequests += 1;
    const answer = ({ ok, head: text, body: bytes }: GuestAnswer): void => {
      this.openRequests -= 1;
      this.answeredAt = performance.now();
      if (this.underWay.get(id) !== running) return;
      running.moved += bytes.length;
      this.tell({ t: 'answer', id, call, ok, head: text }, bytes);
    };
    running.request(head, hasBody ? Buffer.from(body) : null).then(answer, (error: unknown) => {
      this.options.logger.error('a request of a function failed unexpectedly', { organization_id: this.organizationId, error });
      answer({ ok: false, head: 'fetch failed unexpectedly', body: Buffer.alloc(0) });
    });
  }

  private conclude(message: Exclude<FromChild, { t: 'ready' | 'loaded' | 'fetch' }>, body: Buffer): void {
    const running = this.underWay.get(message.id);
    if (!running) throw new BadFrame('an end of what is not under way');
    this.underWay.delete(message.id);
    this.moved(this, running.moved);
    const { t: kind, ...facts } = message;
    this.busyMs = this.busyMs === null ? facts.busy : this.busyMs + (facts.busy - this.busyMs) * weightOfLast;
    if (kind === 'returned') running.settle({ kind, text: body.toString('utf8'), ...facts });
    else running.settle({ kind, ...facts } as ChildEnd);
  }

  private concludeAll(reason: string): void {
    this.ended ??= reason;
    const alone = this.underWay.size === 1;
    for (const { settle, moved } of this.underWay.values()) {
      this.moved(this, moved);
      settle({ kind: 'gone', reason, hung: this.hung, alone });
    }
    this.underWay.clear();
    for (const { settle } of this.loads.values()) settle({ kind: 'gone', reason });
  }

  /** What is told in one turn of the event loop goes out in one write. */
  private tell(message: ToChild, body?: Uint8Array): void {
    if (this.isGone) return;
    if (this.channel.writableCorked === 0) {
      this.channel.cork();
      process.nextTick(() => this.channel.uncork());
    }
    for (const part of encodeFrame(message, body)) this.channel.write(part);
  }
}
