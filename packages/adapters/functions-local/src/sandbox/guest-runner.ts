import type { FunctionBounds } from '@sluice/ports';
import type { FromChild, ToChild } from '../wire/messages';
import type { Engine } from './engine';
import { GuestInstance } from './guest-instance';
import { type GuestAnswer, Invocation, type InvocationEnd } from './invocation';
import { warmUpCode } from './warm-up-code';

/** Instances of one child at once. */
const maxInstances = 16;

type Send = (message: FromChild, body?: Uint8Array) => void;

interface Running {
  instance: GuestInstance;
  invocation: Invocation;
  key: string;
  /** Set by the end; sent when the engine has returned. */
  end: InvocationEnd | null;
  /** Whether the engine runs it at this moment, and for how many milliseconds it did. */
  inEngine: boolean;
  busy: number;
}

interface Waiting {
  id: number;
  key: string;
  payload: string;
}

/**
 * Runs the functions of one organization in this process. An instance runs one invocation at a time, and serves the same function
 * again afterwards. Handlers that wait have several instances.
 */
export class GuestRunner {
  private readonly codes = new Map<string, string>();
  private readonly idle = new Map<string, GuestInstance[]>();
  private readonly running = new Map<number, Running>();
  private waiting: Waiting[] = [];
  private blank: GuestInstance | null = null;
  private opening = 0;

  constructor(
    private readonly engine: Engine,
    private readonly bounds: FunctionBounds,
    private readonly send: Send,
  ) {}

  /** Opens an instance for the first function, so that it need not wait for one. */
  async openBlank(): Promise<void> {
    this.blank ??= await GuestInstance.open(this.engine, this.bounds);
  }

  async take(message: ToChild, body: Buffer): Promise<void> {
    switch (message.t) {
      case 'warm':
        return this.warmUp();
      case 'code':
        return this.load(message.key, body.toString('utf8'));
      case 'drop':
        this.codes.delete(message.key);
        this.idle.delete(message.key);
        return;
      case 'run':
        this.waiting.push({ id: message.id, key: message.key, payload: body.toString('utf8') });
        return this.startWaiting();
      case 'answer':
        return this.answer(message.id, message.call, { ok: message.ok, head: message.head, body: Buffer.from(body) });
    }
  }

  /** The engine is compiled function by function, at the first use of each: most of a first invocation would be spent on that. */
  private async warmUp(): Promise<void> {
    const { instance, problem } = await this.open(warmUpCode);
    if (problem !== null) throw new Error(problem);
    await new Promise<void>((ended) => {
      const host = { request: () => undefined, fire: () => undefined, ended: () => ended() };
      instance.run(new Invocation(this.bounds, host), '{"items":[1]}');
    });
    instance.reset();
    await this.openBlank();
  }

  private async load(key: string, code: string): Promise<void> {
    this.codes.set(key, code);
    const { instance, problem } = await this.open(code);
    if (problem === null) this.free(key, instance);
    else this.codes.delete(key);
    this.send({ t: 'loaded', key, problem });
  }

  private async open(code: string): Promise<{ instance: GuestInstance; problem: string | null }> {
    const blank = this.blank;
    this.blank = null;
    const instance = blank ?? (await GuestInstance.open(this.engine, this.bounds));
    return { instance, problem: instance.load(code) };
  }

  private async startWaiting(): Promise<void> {
    const left: Waiting[] = [];
    const started = this.waiting;
    this.waiting = [];
    for (const one of started) {
      const instance = this.idle.get(one.key)?.pop();
      if (instance) this.start(one, instance);
      else left.push(one);
    }
    this.waiting = [...left, ...this.waiting];
    if (this.waiting.length > 0) await this.openForNext();
  }

  /** Opens one more instance for what waits longest, if there may be one. */
  private async openForNext(): Promise<void> {
    if (this.running.size + this.opening >= maxInstances) return;
    const next = this.waiting.shift();
    if (!next) return;
    const code = this.codes.get(next.key);
    if (code === undefined) return this.fail(next, 'the function was taken away');
    this.opening += 1;
    this.makeRoom();
    try {
      const { instance, problem } = await this.open(code);
      if (problem === null) this.start(next, instance);
      else this.fail(next, problem);
    } finally {
      this.opening -= 1;
    }
    await this.startWaiting();
  }

  /** Idle instances of other functions make room. */
  private makeRoom(): void {
    let count = this.running.size + this.opening + [...this.idle.values()].reduce((sum, { length }) => sum + length, 0);
    for (const instances of this.idle.values()) while (count > maxInstances && instances.pop()) count -= 1;
  }

  private start({ id, key, payload }: Waiting, instance: GuestInstance): void {
    const invocation: Invocation = new Invocation(this.bounds, {
      request: (call, { head, body }) =>
        this.send({ t: 'fetch', id, call, head, hasBody: body !== null }, body ?? undefined),
      fire: (timer) => this.inEngine(id, () => instance.fire(timer)),
      ended: (end) => {
        const running = this.running.get(id);
        if (!running) return;
        running.end = end;
        if (!running.inEngine) this.conclude(id, running);
      },
    });
    this.running.set(id, { instance, invocation, key, end: null, inEngine: false, busy: 0 });
    this.inEngine(id, () => instance.run(invocation, payload));
  }

  private answer(id: number, call: number, answer: GuestAnswer): void {
    const running = this.running.get(id);
    if (running) this.inEngine(id, () => running.instance.answer(call, answer));
  }

  private inEngine(id: number, step: () => void): void {
    const running = this.running.get(id);
    if (!running) return;
    const since = performance.now();
    running.inEngine = true;
    step();
    running.inEngine = false;
    running.busy += performance.now() - since;
    if (running.end) this.conclude(id, running);
  }

  private conclude(id: number, { instance, invocation, key, end, busy }: Running): void {
    this.running.delete(id);
    const { logs, logsDropped: dropped, durationMs: ms } = invocation;
    const facts = { id, logs, dropped, ms, busy, mb: instance.memoryMb };
    if (end!.kind === 'returned') this.send({ t: 'returned', ...facts }, Buffer.from(end!.text, 'utf8'));
    else if (end!.kind === 'threw') this.send({ t: 'threw', message: end!.message, ...facts });
    else this.send({ t: 'limit', limit: end!.limit, message: end!.message, ...facts });
    instance.reset();
    this.free(key, instance);
    if (this.waiting.length > 0) void this.startWaiting();
  }

  private free(key: string, instance: GuestInstance): void {
    if (instance.isBroken || !this.codes.has(key)) return;
    const instances = this.idle.get(key);
    if (instances) instances.push(instance);
    else this.idle.set(key, [instance]);
  }

  private fail({ id }: Waiting, message: string): void {
    this.send({ t: 'threw', message, id, logs: [], dropped: 0, ms: 0, busy: 0, mb: 0 });
  }
}
