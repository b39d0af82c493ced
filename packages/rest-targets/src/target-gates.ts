import { type Admission, createGates, type Gates, type GatesOptions } from '@sluice/gates';
import type { MonotonicClock } from '@sluice/ports';

/** What a call shows about its destination. `none`: nothing was sent. */
export type GateReport = { kind: 'answered' | 'failed' | 'none' } | { kind: 'refused'; forMs: number };

export type Entrance = { ok: true; leave(report: GateReport): void } | { ok: false; waitMs: number; why: string };

/**
 * The gates of REST destinations, with a bounded number of slots each for requests under way and of requests that wait for one. A
 * gate is also closed for the `Retry-After` of its destination. The unit of a request that is turned away is held, and uses up no
 * attempt (docs/architecture.md, What waits).
 */
export interface TargetGates {
  /** @param patient whether to wait for a slot */
  enter(key: string, patient: boolean): Promise<Entrance>;
}

export interface TargetGatesOptions extends Pick<GatesOptions<string>, 'monotonicNow' | 'failingAfterMs'> {
  /** Requests to one destination at once. */
  slots: number;
  /** Requests that may wait for a slot of one destination. */
  maxWaiting: number;
}

/** The longest `Retry-After` that is kept to: a longer one may be meant for one request alone. */
const longestRefusalMs = 300_000;
const busyWaitMs = 2_000;
const maxKept = 10_000;

/** The requests of one destination. */
interface Destination {
  running: number;
  waiting: (() => void)[];
  /** It asked not to be called before this time. */
  refusesUntil: number;
}

export const createTargetGates = (options: TargetGatesOptions): TargetGates => {
  const entrances = new TargetEntrances(options);
  return { enter: (key, patient) => entrances.enter(key, patient) };
};

/**
 * Invariant: a request that has entered holds one slot until it leaves; a slot that becomes free passes to the first that waits.
 */
class TargetEntrances {
  private readonly destinations = new Map<string, Destination>();
  private readonly gates: Gates<string>;
  private readonly monotonicNow: MonotonicClock;

  constructor(private readonly options: TargetGatesOptions) {
    this.monotonicNow = options.monotonicNow;
    this.gates = createGates({
      ...options,
      refusesForMs: (key) => (this.destinations.get(key)?.refusesUntil ?? -Infinity) - this.monotonicNow(),
      reasons: { refused: 'it asked to wait', failing: 'it fails every call' },
    });
  }

  async enter(key: string, patient: boolean): Promise<Entrance> {
    const before = this.gates.closed(key);
    if (before) return turnedAway(before);
    const destination = this.destinationOf(key);
    if (destination.running < this.options.slots) destination.running += 1;
    else if (!patient || destination.waiting.length >= this.options.maxWaiting)
      return turnedAway({ waitMs: busyWaitMs, reason: 'it is busy' });
    else await new Promise<void>((resolve) => destination.waiting.push(resolve));
    const admission = this.gates.admit(key);
    const after = admission.room() === 0 ? this.gates.closed(key) : null;
    if (!after) return { ok: true, leave: (report) => this.leave(key, destination, admission, report) };
    this.release(key, destination);
    return turnedAway(after);
  }

  private leave(key: string, destination: Destination, admission: Admission<string>, report: GateReport): void {
    admission.end();
    if (report.kind === 'refused') {
      const until = this.monotonicNow() + Math.min(report.forMs, longestRefusalMs);
      destination.refusesUntil = Math.max(destination.refusesUntil, until);
    } else if (report.kind !== 'none') this.gates.apply(key, report.kind);
    this.release(key, destination);
  }

  private release(key: string, destination: Destination): void {
    const next = destination.waiting.shift();
    // The slot passes to the next waiting request directly: no other request can take it in between.
    if (next) return next();
    destination.running -= 1;
    if (isIdle(destination) && destination.refusesUntil <= this.monotonicNow()) this.destinations.delete(key);
  }

  private destinationOf(key: string): Destination {
    const destination = this.destinations.get(key) ?? { running: 0, waiting: [], refusesUntil: -Infinity };
    this.destinations.set(key, destination);
    if (this.destinations.size > maxKept) forgetIdle(this.destinations);
    return destination;
  }
}

const turnedAway = ({ waitMs, reason }: { waitMs: number; reason: string }): Entrance => ({ ok: false, waitMs, why: reason });

const isIdle = ({ running, waiting }: Destination): boolean => running === 0 && waiting.length === 0;

function forgetIdle(destinations: Map<string, Destination>): void {
  for (const [key, destination] of destinations) {
    if (!isIdle(destination)) continue;
    destinations.delete(key);
    return;
  }
}
