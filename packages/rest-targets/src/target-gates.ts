import type { MonotonicClock } from '@sluice/ports';
/** What a call shows about its destination. `none`: nothing was sent. */
export type GateReport = { kind: 'answered' | 'failed' | 'none' } | { kind: 'refused'; forMs: number };

export type Entrance = { ok: true; leave(report: GateReport): void } | { ok: false; waitMs: number; why: string };

/**
 * One gate per destination, in memory. It has a bounded number of slots for requests under way and of requests that wait for one.
 * It is closed for the `Retry-After` of the destination, and after every call failed for a while: then one request at a time
 * tries it, after growing waits. The unit of a request that is turned away is held, and uses up no attempt (docs/architecture.md,
 * What waits).
 */
export interface TargetGates {
  /** @param patient whether to wait for a slot */
  enter(key: string, patient: boolean): Promise<Entrance>;
}

export interface TargetGatesOptions {
  /** Monotonic milliseconds. */
  monotonicNow: MonotonicClock;
  /** Requests to one destination at once. */
  places: number;
  /** Requests that may wait for a slot of one destination. */
  maxWaiting: number;
  /** A destination that failed every call for this long is tried by one request at a time. Milliseconds. */
  failingAfterMs: number;
}

/** Fewer failed calls than this do not close a gate: they may all be of one bad record. */
const failuresThatCount = 10;
const [firstProbeWaitMs, longestProbeWaitMs] = [1_000, 30_000];
/** The longest `Retry-After` that is kept to: a longer one may be meant for one request alone. */
const longestRefusalMs = 300_000;
const busyWaitMs = 2_000;
const maxKept = 10_000;

interface Gate {
  running: number;
  waiting: (() => void)[];
  /** Calls failed since the last answer, and when the first of them was. */
  failures: number;
  failingSince: number;
  /** It failed every call for too long. */
  unavailable: boolean;
  notBefore: number;
  probeWaitMs: number;
  probing: boolean;
}

const newGate = (): Gate => ({
  running: 0, waiting: [], failures: 0, failingSince: 0, unavailable: false, notBefore: -Infinity, probeWaitMs: firstProbeWaitMs,
  probing: false,
});

export function createTargetGates({ monotonicNow, places, maxWaiting, failingAfterMs }: TargetGatesOptions): TargetGates {
  const gates = new Map<string, Gate>();

  const gateOf = (key: string): Gate => {
    const gate = gates.get(key) ?? newGate();
    gates.set(key, gate);
    if (gates.size > maxKept) forgetIdle(gates);
    return gate;
  };
  const closed = (gate: Gate): { waitMs: number; why: string } | null => {
    const waitMs = Math.ceil(gate.notBefore - monotonicNow());
    if (waitMs > 0) return { waitMs, why: gate.unavailable ? 'it fails every call' : 'it asked to wait' };
    return gate.unavailable && gate.probing ? { waitMs: gate.probeWaitMs, why: 'it fails every call' } : null;
  };
  const release = (key: string, gate: Gate): void => {
    const next = gate.waiting.shift();
    // The slot passes to the next waiting request directly: no other request can take it in between.
    if (next) return next();
    gate.running -= 1;
    if (isIdle(gate) && gate.failures === 0 && closed(gate) === null) gates.delete(key);
  };
  const note = (gate: Gate, report: GateReport): void => {
    if (report.kind === 'answered') Object.assign(gate, { failures: 0, unavailable: false, probeWaitMs: firstProbeWaitMs });
    else if (report.kind === 'refused')
      gate.notBefore = Math.max(gate.notBefore, monotonicNow() + Math.min(report.forMs, longestRefusalMs));
    else if (report.kind === 'failed') noteFailure(gate, monotonicNow(), failingAfterMs);
  };
  return {
    enter: async (key, patient) => {
      const gate = gateOf(key);
      const turnedAway = (reason: { waitMs: number; why: string }): Entrance => ({ ok: false, ...reason });
      const before = closed(gate);
      if (before) return turnedAway(before);
      if (gate.running < places) gate.running += 1;
      else if (!patient || gate.waiting.length >= maxWaiting) return turnedAway({ waitMs: busyWaitMs, why: 'it is busy' });
      else await new Promise<void>((resolve) => gate.waiting.push(resolve));
      const after = closed(gate);
      if (after) {
        release(key, gate);
        return turnedAway(after);
      }
      const probes = gate.unavailable;
      if (probes) gate.probing = true;
      return {
        ok: true,
        leave: (report) => {
          if (probes) gate.probing = false;
          note(gate, report);
          release(key, gate);
        },
      };
    },
  };
}

const isIdle = ({ running, waiting }: Gate): boolean => running === 0 && waiting.length === 0;

function noteFailure(gate: Gate, now: number, failingAfterMs: number): void {
  if (gate.failures === 0) gate.failingSince = now;
  gate.failures += 1;
  if (!gate.unavailable)
    gate.unavailable = gate.failures >= failuresThatCount && now - gate.failingSince >= failingAfterMs;
  // Failures of calls that were under way when it closed do not count again.
  if (!gate.unavailable || now < gate.notBefore) return;
  gate.notBefore = now + gate.probeWaitMs;
  gate.probeWaitMs = Math.min(gate.probeWaitMs * 2, longestProbeWaitMs);
}

function forgetIdle(gates: Map<string, Gate>): void {
  for (const [key, gate] of gates) {
    if (!isIdle(gate)) continue;
    gates.delete(key);
    return;
  }
}
