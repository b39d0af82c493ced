import type { MonotonicClock } from '@sluice/ports';
import { Gate, type GateTrouble } from './gate';

/**
 * What a call shows about its destination: it answered, it failed transiently (5xx, timeout, cut), or it refused for its rate.
 */
export type CallSign = 'answered' | 'failed' | 'refused';

/** Why nothing may start, and milliseconds to wait before asking again. */
export interface Closed<Reason> {
  reason: Reason;
  waitMs: number;
}

/** The permission of one caller to call a destination, checked again before each unit of its work. */
export interface Admission<Reason> {
  /**
   * How many units of work may be under way now: 0 while the destination is closed, 1 while it is being tried, else no bound. A
   * call while the destination must be tried takes the only try, until `end`.
   */
  room(): number;
  /** Why nothing may start; null when work may start. Does not take the try. */
  trouble(): Reason | null;
  end(): void;
}

/**
 * One gate per destination, in memory. A gate is closed while its destination refuses calls for their rate, and after every call
 * failed for a while. Before it opens again one caller at a time tries the destination, after growing waits; the first call that
 * is answered opens it (ADR 0031, ADR 0310).
 */
export interface Gates<Reason> {
  /** @param key of the destination; null for work that needs none: never closed */
  admit(key: string | null): Admission<Reason>;
  /** As `Admission.room`, without taking the try. */
  room(key: string | null): number;
  /** Null while work may start. */
  closed(key: string | null): Closed<Reason> | null;
  /** Reports the result of a call of the destination. */
  apply(key: string, sign: CallSign): void;
}

export interface GatesOptions<Reason> {
  monotonicNow: MonotonicClock;
  /** Milliseconds until the destination allows calls again, by its own words; 0: it allows them. */
  refusesForMs(key: string): number;
  /** A destination that failed every call for this long is tried by one caller at a time. Milliseconds. */
  failingAfterMs: number;
  /** How callers name the reasons. */
  reasons: Record<GateTrouble, Reason>;
  /**
   * How soon to ask again while another caller tries the destination, in milliseconds. Default: the wait that follows if the
   * try fails.
   */
  askAgainMs?: number;
}

/** The admission of work that needs no destination. */
export const freeAdmission: Admission<never> = { room: () => Infinity, trouble: () => null, end: () => undefined };

/**
 * Gates of more destinations than this are not kept: that of the oldest trouble is forgotten, and learned again from its calls.
 */
const maxKept = 10_000;

export function createGates<Reason>(options: GatesOptions<Reason>): Gates<Reason> {
  const gates = new MemoryGates(options);
  return {
    admit: (key) => (key === null ? freeAdmission : gates.admit(key)),
    room: (key) => (key === null ? Infinity : gates.room(key, null)),
    closed: (key) => (key === null ? null : gates.closed(key, null)),
    apply: (key, sign) => gates.apply(key, sign),
  };
}

/** Only gates of destinations whose last call failed or was refused are kept. */
class MemoryGates<Reason> {
  private readonly troubled = new Map<string, Gate>();

  constructor(private readonly options: GatesOptions<Reason>) {}

  admit(key: string): Admission<Reason> {
    const me: Admission<Reason> = {
      room: () => {
        const room = this.room(key, me);
        if (room === 1) this.troubled.get(key)?.letTry(me);
        return room;
      },
      trouble: () => this.closed(key, me)?.reason ?? null,
      end: () => this.troubled.get(key)?.endTry(me),
    };
    return me;
  }

  /** @param me whose own try does not close the gate */
  room(key: string, me: Admission<Reason> | null): number {
    if (this.closed(key, me)) return 0;
    return (this.troubled.get(key)?.trouble ?? null) === null ? Infinity : 1;
  }

  closed(key: string, me: Admission<Reason> | null): Closed<Reason> | null {
    const { refusesForMs, reasons, monotonicNow, askAgainMs } = this.options;
    const refusesMs = refusesForMs(key);
    if (refusesMs > 0) return { reason: reasons.refused, waitMs: wholeMs(refusesMs) };
    const gate = this.troubled.get(key);
    if (!gate?.trouble) return null;
    const reason = reasons[gate.trouble];
    const waitMs = gate.waitsForMs(monotonicNow());
    if (waitMs > 0) return { reason, waitMs: wholeMs(waitMs) };
    return gate.isTriedByAnother(me) ? { reason, waitMs: askAgainMs ?? gate.nextWaitMs } : null;
  }

  apply(key: string, sign: CallSign): void {
    if (sign === 'answered') this.troubled.delete(key);
    else if (sign === 'failed') this.gateOf(key).failed(this.options.monotonicNow());
    // Without a wait of the whole destination, only calls of one kind are refused: it stays open for all others.
    else if (this.options.refusesForMs(key) > 0) this.gateOf(key).refused();
  }

  private gateOf(key: string): Gate {
    const gate = this.troubled.get(key) ?? new Gate(this.options.failingAfterMs);
    this.troubled.set(key, gate);
    const [oldest] = this.troubled.size > maxKept ? this.troubled.keys() : [];
    if (oldest !== undefined) this.troubled.delete(oldest);
    return gate;
  }
}

/** A remainder of less than a millisecond is rounded up: the caller would ask again at the same moment. */
const wholeMs = (ms: number): number => Math.ceil(ms);
