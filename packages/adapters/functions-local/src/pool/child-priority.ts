import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** How much lower than the service children run, and those whose functions compute much: they give way to the others too. */
export const niceness = { normal: 5, busy: 17 } as const;

/** A child computes much between two looks when it wanted more of a processor than this, and used more for each invocation. */
const [busyShare, freeMsEach] = [0.1, 2];
/** It is calm when it wanted less of a processor than this. */
const calmShare = 0.1;
/** Looks in a row after which it counts as busy, or as calm again. */
const [busyLooks, calmLooks] = [2, 20];
/** Whether it computes now is read again after so long, milliseconds. */
const readAgainMs = 50;
const nanosecondsPerMs = 1e6;

/** Milliseconds that the main thread of a process, in which functions run, used a processor, and that it waited for one. */
interface Use {
  at: number;
  ended: number;
  usedMs: number;
  waitedMs: number;
}

/** The priority of one child process. Only Linux tells what a process uses: elsewhere none becomes busy. */
export class ChildPriority {
  private lowered = false;
  private last: Use | null = null;
  private busy = 0;
  private calm = 0;
  private now = { at: -Infinity, computes: false };

  constructor(private readonly pid: number | undefined) {
    this.set(niceness.normal);
  }

  /** Whether it has been lowered, and is not calm. */
  get isBusy(): boolean {
    return this.lowered && this.calm < calmLooks;
  }

  /** Whether it has been lowered, and has had little to do since. A process may not raise its priority again. */
  get isCalm(): boolean {
    return this.lowered && !this.isBusy;
  }

  /** Whether it computes or waits for a processor now, by its use since the last look. */
  computes(at = performance.now()): boolean {
    if (at - this.now.at < readAgainMs) return this.now.computes;
    const [use, { last }] = [useOf(this.pid), this];
    const wantedMs = use && last ? use.usedMs - last.usedMs + use.waitedMs - last.waitedMs : 0;
    this.now = { at, computes: last !== null && wantedMs > busyShare * (at - last.at) };
    return this.now.computes;
  }

  lower(): void {
    if (this.lowered) return;
    this.lowered = true;
    this.set(niceness.busy);
  }

  /**
   * Looks at what the process has used since the last look. About twice a second.
   * @param ended its invocations that have ended
   * @returns milliseconds of a processor that it used beyond what its invocations have free
   */
  look(ended: number, at = performance.now()): number {
    const { last } = this;
    const use = useOf(this.pid);
    this.last = use && { ...use, at, ended };
    if (last === null || use === null || at <= last.at) return 0;
    const [usedMs, waitedMs, elapsedMs] = [use.usedMs - last.usedMs, use.waitedMs - last.waitedMs, at - last.at];
    const computedMs = Math.max(0, usedMs - freeMsEach * (ended - last.ended + 1));
    // On a full machine a process of this priority uses little: what it waits for counts too.
    const share = (usedMs + waitedMs) / elapsedMs;
    this.busy = share > busyShare && computedMs > 0 ? this.busy + 1 : 0;
    this.calm = share < calmShare ? this.calm + 1 : 0;
    if (this.busy >= busyLooks) this.lower();
    return computedMs;
  }

  /** For the threads that there are; later ones have the priority of the one that starts them. */
  private set(value: number): void {
    for (const thread of threadsOf(this.pid)) {
      try {
        setPriority(thread, value);
      } catch {
        // It ended already, or the system does not let us: then it runs like the others.
      }
    }
  }
}

function threadsOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** By the scheduler of Linux (its documentation: sched-stats); null: the system does not tell, or the process ended. */
function useOf(pid: number | undefined): Pick<Use, 'usedMs' | 'waitedMs'> | null {
  try {
    const [used = NaN, waited = NaN] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return { usedMs: used / nanosecondsPerMs, waitedMs: waited / nanosecondsPerMs };
  } catch {
    return null;
  }
}
