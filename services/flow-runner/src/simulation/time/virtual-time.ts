import { createTurns, type Turns } from './turns';

/** Tells the time and waits. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Time that passes only when nothing is left to run at the present moment. */
export interface VirtualTime extends Clock {
  /**
   * Runs `work` until it settles, with the global timers, immediates and clocks replaced. The real event loop is not involved, so
   * that the same work always runs in the same order. Callbacks that still wait at the end never run. Rejects also when nothing
   * is left that could settle `work`, or when callbacks repeat for ever without time passing.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Calls back as a microtask: at a fraction of the cost of `queueMicrotask`, which keeps an async resource for each callback. */
const settled = Promise.resolve();

type Globals = Record<string, unknown>;
type Listener = (...input: unknown[]) => void;

/** Stands for the handle of a timer or an immediate. */
class Handle {
  cleared = false;
  ref(): this { return this; }
  unref(): this { return this; }
  hasRef(): boolean { return true; }
}

/** @param startsAt milliseconds since the epoch */
export function createVirtualTime(startsAt = Date.parse('2026-01-01T00:00:00Z')): VirtualTime {
  const turns = createTurns(startsAt);
  return {
    now: turns.now,
    sleep: (ms) => new Promise((resolve) => turns.after(ms, resolve)),
    run: async (work) => {
      const restore = replaceGlobals(globalsOf(turns), () => turns.now() - startsAt);
      try {
        return await drive(work, turns);
      } finally {
        restore();
      }
    },
  };
}

/**
 * One callback, then all its microtasks, then the next: a tick of Node that a microtask requests runs when no microtask is left.
 */
function drive<T>(work: () => Promise<T>, turns: Turns): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false;
    // Work at the present time ends first, so that its timers are set in virtual time, not in the real one.
    const end = (how: () => void): void => {
      over = true;
      queueMicrotask(() => process.nextTick(how));
    };
    const turn = (): void => {
      if (over) return;
      try {
        turns.runNext();
      } catch (error) {
        return end(() => reject(error as Error));
      }
      void settled.then(afterMicrotasks);
    };
    const afterMicrotasks = (): void => process.nextTick(turn);
    work().then((value) => end(() => resolve(value)), (error: unknown) => end(() => reject(error as Error)));
    void settled.then(afterMicrotasks);
  });
}

function globalsOf(turns: Turns): Globals {
  const clear = (handle?: Handle): void => { if (handle) handle.cleared = true; };
  const once = (listener: Listener, input: unknown[], plan: (callback: () => void) => void): Handle => {
    const handle = new Handle();
    plan(() => { if (!handle.cleared) listener(...input); });
    return handle;
  };
  return {
    setImmediate: (listener: Listener, ...input: unknown[]) => once(listener, input, turns.soon),
    setTimeout: (listener: Listener, ms: number, ...input: unknown[]) =>
      once(listener, input, (callback) => turns.after(ms, callback)),
    setInterval: (listener: Listener, ms: number, ...input: unknown[]): Handle => {
      const handle = new Handle();
      const strike = (): void => {
        if (handle.cleared) return;
        turns.after(ms, strike);
        listener(...input);
      };
      turns.after(ms, strike);
      return handle;
    },
    clearImmediate: clear,
    clearTimeout: clear,
    clearInterval: clear,
    Date: virtualDate(turns.now),
  };
}

function virtualDate(now: () => number): DateConstructor {
  class VirtualDate extends Date {
    constructor(...input: unknown[]) {
      super(...((input.length === 0 ? [now()] : input) as [number]));
    }
    static override now(): number { return now(); }
  }
  return VirtualDate as unknown as DateConstructor;
}

/** Undone by the returned function. */
function replaceGlobals(globals: Globals, sinceStart: () => number): () => void {
  const place = globalThis as Globals;
  const real = Object.keys(globals).map((name) => [name, place[name]] as const);
  Object.assign(place, globals);
  Object.defineProperty(performance, 'now', { configurable: true, value: sinceStart });
  return () => {
    for (const [name, value] of real) place[name] = value;
    Reflect.deleteProperty(performance, 'now');
  };
}
