import type { FunctionBounds } from '@sluice/ports';
import { isFail, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime, type VmCallResult } from 'quickjs-emscripten-core';
import type { Engine } from './engine';
import { hostObject } from './host-calls';
import { endOfThrown, type FailedEnd, type GuestAnswer, type Invocation } from './invocation';
import { MemorySnapshot } from './memory-snapshot';
import type { WasmLayout } from './wasm-layout';

/** Bytes of QuickJS's own stack. Beyond about twice as much the stack of the process would end first. */
const stackBytes = 256 * 1024;
/** An instance whose memory has grown beyond this is not used again: memory of WebAssembly never shrinks. */
const mebibyte = 1024 * 1024;
const keptBytes = 48 * mebibyte;
const lastStepBytes = 24 * mebibyte;
/** How long the module of a function may take to be evaluated, milliseconds. */
const loadMs = 5_000;
/** Jobs of promises that run between two looks at the deadline. */
const jobsAtOnce = 1_000;

type Argument = string | number | boolean | QuickJSHandle;

/**
 * One function in a QuickJS of its own, with a memory of its own. It runs one invocation at a time; after each its memory is put
 * back to what it was when the code had been loaded, so that nothing of an invocation is there for the next one. When something
 * unforeseen ended the engine (`isBroken`), the instance must not be used again.
 */
export class GuestInstance {
  private dispatch: QuickJSHandle | null = null;
  private snapshot: MemorySnapshot | null = null;
  private current: Invocation | null = null;
  private deadline = Infinity;
  private broken = false;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly runtime: QuickJSRuntime,
    private readonly ctx: QuickJSContext,
    private readonly layout: WasmLayout,
    private readonly maxBytes: number,
  ) {}

  static async open(engine: Engine, bounds: FunctionBounds): Promise<GuestInstance> {
    const { quickjs, memory } = await engine.open(bounds.memoryMb);
    const runtime = quickjs.newRuntime();
    runtime.setMaxStackSize(stackBytes);
    const ctx = runtime.newContext();
    const instance = new GuestInstance(memory, runtime, ctx, engine.layout, bounds.memoryMb * mebibyte);
    runtime.setInterruptHandler(() => performance.now() > instance.deadline);
    instance.start(engine.guest, bounds.responseBytes);
    return instance;
  }

  private start(guest: string, maxResponseBytes: number): void {
    const { ctx } = this;
    const host = hostObject({ ctx, invocation: () => this.current, maxResponseBytes, isFull: () => this.isFull });
    const maker = this.valueOf(ctx.evalCode(guest, 'guest.js', { strict: false }));
    this.dispatch = this.valueOf(ctx.callFunction(maker, ctx.undefined, host));
    for (const handle of [maker, host]) handle.dispose();
  }

  /** Errors of quickjs-emscripten carry the whole engine: they are not thrown. */
  private valueOf(result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (isFail(result)) throw new Error(this.messageOf(result.error));
    return result.value;
  }

  get isBroken(): boolean {
    return this.broken || this.memory.buffer.byteLength > keptBytes;
  }

  /** It grows in steps: the last one may not fit any more. */
  private get isFull(): boolean {
    return this.memory.buffer.byteLength > this.maxBytes - lastStepBytes;
  }

  get memoryMb(): number {
    return Math.ceil(this.memory.buffer.byteLength / mebibyte);
  }

  /** Evaluates the module of the function. @returns what is wrong with it; null: it can be invoked */
  load(code: string): string | null {
    this.deadline = performance.now() + loadMs;
    try {
      const body = this.ctx.evalCode(`(function (exports, module, require) {${code}\n})`, 'plugin.js', { strict: false });
      if (isFail(body)) return this.messageOf(body.error);
      const loaded = this.call('load', body.value);
      body.value.dispose();
      if (loaded.error !== null) return loaded.error.message;
      const problem = this.runJobs()?.message ?? loaded.text;
      if (problem !== '') return problem;
    } catch {
      this.broken = true;
      return 'its module uses more of the stack or of memory than it may';
    }
    this.deadline = Infinity;
    this.snapshot = new MemorySnapshot(new Uint8Array(this.memory.buffer), this.layout);
    return null;
  }

  /** Starts an invocation; it may end at once. The instance is free again when `reset` was called after its end. */
  run(invocation: Invocation, payload: string): void {
    this.current = invocation;
    this.step('run', payload);
  }

  answer(call: number, { ok, head, body }: GuestAnswer): void {
    if (this.current?.answered(call, body)) this.step('answer', call, ok, head);
  }

  fire(timer: number): void {
    this.step('fire', timer);
  }

  /** Puts the memory back to what it was after the load. */
  reset(): void {
    this.current = null;
    if (!this.isBroken) this.snapshot?.restore(new Uint8Array(this.memory.buffer));
  }

  /** Runs the guest until it waits for something, or has ended. */
  private step(...args: Argument[]): void {
    const invocation = this.current;
    if (!invocation || invocation.isOver) return;
    this.deadline = invocation.deadline;
    let end: FailedEnd | null;
    try {
      end = this.call(...args).error ?? this.runJobs();
    } catch {
      // The engine itself ended: its stack, or the memory of the process.
      this.broken = true;
      end = { kind: 'limit', limit: 'stack', message: 'it used more of the stack than it may' };
    }
    this.deadline = Infinity;
    // A job that is interrupted only rejects its promise.
    if (performance.now() > invocation.deadline) return invocation.overTime();
    if (end === null && invocation.waitsForNothing)
      end = { kind: 'threw', message: 'the promise of the handler can never be settled: nothing is left to wait for' };
    if (end?.kind === 'limit' && end.limit === 'time') invocation.overTime();
    else if (end) invocation.end(end);
  }

  private call(...args: Argument[]): { error: FailedEnd | null; text: string } {
    const { ctx } = this;
    const handles = args.map((arg) => this.handleOf(arg));
    const result = ctx.callFunction(this.dispatch!, ctx.undefined, ...handles);
    handles.forEach((handle, index) => {
      if (typeof args[index] !== 'object') handle.dispose();
    });
    const error = this.failedOf(result);
    const text = !isFail(result) && ctx.typeof(result.value) === 'string' ? ctx.getString(result.value) : '';
    if (!isFail(result)) result.value.dispose();
    return { error, text };
  }

  private handleOf(arg: Argument): QuickJSHandle {
    const { ctx } = this;
    if (typeof arg === 'string') return ctx.newString(arg);
    if (typeof arg === 'number') return ctx.newNumber(arg);
    if (typeof arg === 'boolean') return arg ? ctx.true : ctx.false;
    return arg;
  }

  private runJobs(): FailedEnd | null {
    while (this.runtime.hasPendingJob()) {
      if (performance.now() > this.deadline) return { kind: 'limit', limit: 'time', message: 'it took too long' };
      const result = this.runtime.executePendingJobs(jobsAtOnce);
      if (isFail(result)) return this.failedOf(result);
      result.dispose();
      if (this.current?.isOver) return null;
    }
    return null;
  }

  private failedOf(result: VmCallResult<unknown> | { error?: QuickJSHandle }): FailedEnd | null {
    if (!('error' in result) || !result.error) return null;
    const error = result.error as QuickJSHandle;
    return endOfThrown(this.messageOf(error), this.isFull);
  }

  /** What an exception says, with the line of a syntax error, without a stack. */
  private messageOf(handle: QuickJSHandle): string {
    const thrown: unknown = this.ctx.dump(handle);
    handle.dispose();
    if (thrown === null || typeof thrown !== 'object') return String(thrown);
    const { name, message, stack } = thrown as { name?: unknown; message?: unknown; stack?: unknown };
    const said = name === undefined || name === 'Error' ? String(message) : `${String(name)}: ${String(message)}`;
    const [, line] = name === 'SyntaxError' ? (/plugin\.js:(\d+)/.exec(String(stack)) ?? []) : [];
    return line === undefined ? said : `${said} (line ${line})`;
  }
}
