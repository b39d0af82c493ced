import type { MonotonicClock } from '@sluice/ports';
import type { CallReport } from './portal-session';

/**
 * What a CRM call shows about its portal: it answered, it failed transiently (5xx, timeout, cut), or it refused the call for its
 * rate.
 */
export type PortalAnswer = 'answered' | 'failed' | 'refused';

/** Why work of a portal waits. */
export type PortalTrouble = 'portal_dry' | 'portal_unavailable';

/** What a call shows about its portal, independent of the results of its records. */
export function portalAnswer({ failure, status }: Pick<CallReport, 'failure' | 'status'>): PortalAnswer {
  if (status === 429) return 'refused';
  return failure === 'transient' ? 'failed' : 'answered';
}

/** The permission of one drain or one unit to start work of a portal, checked again before each unit. */
export interface Admission {
  /**
   * How many units may be under way now: 0 while the portal is closed, 1 while it is being tried, else no bound. A call while the
   * portal is being tried takes the only try, until `end`.
   */
  room(): number;
  /** Why nothing may start; null when work may start. Does not take the try. */
  trouble(): PortalTrouble | null;
  end(): void;
}

/**
 * One gate per CRM portal, in memory (ADR 0031). It is closed while the portal refuses calls for their rate, and after every call
 * failed for a while: then all work of that portal waits together, without using up attempts. Before it opens again one unit
 * tries the portal alone: the first call that is answered opens it.
 */
export interface PortalGates {
  /** @param portalId null for work that needs no portal: never closed */
  admit(portalId: string | null): Admission;
  /** As `Admission.room`, without taking the try. */
  room(portalId: string | null): number;
  /** Milliseconds to wait before asking again, and why; null while work may start. */
  closed(portalId: string | null): { reason: PortalTrouble; waitMs: number } | null;
  /** Reports the result of a call of the portal. */
  apply(portalId: string, answer: PortalAnswer): void;
}

export interface PortalGatesOptions {
  monotonicNow: MonotonicClock;
  /** Milliseconds until the portal's rate allows calls again. */
  dryForMs(portalId: string): number;
  /** A portal that failed every call for this long is tried by one unit at a time. Milliseconds. */
  failingAfterMs: number;
}

/** Fewer failed calls than this do not close a gate: they may all be of one bad record. */
const failuresThatCount = 10;
const firstProbeWaitMs = 1_000;
const longestProbeWaitMs = 30_000;
/** How soon to ask again while another unit tries the portal. */
const probeLookMs = 200;

/** A portal that failed or refused its last call. */
interface Troubled {
  /** Calls failed since the last answer, and when the first of them was. */
  failures: number;
  failingSince: number;
  unavailable: boolean;
  /** The portal refused a call for its rate: the next unit tries alone. */
  refused: boolean;
  /** No probe starts before this time. */
  notBefore: number;
  probeWaitMs: number;
  probe: Admission | null;
}

/** A remainder of less than a millisecond is rounded up: the caller would ask again at the same moment. */
const wholeMs = (ms: number): number => Math.ceil(ms);

/** The admission of work that needs no portal. */
export const freeAdmission: Admission = { room: () => Infinity, trouble: () => null, end: () => undefined };

export function createPortalGates({ monotonicNow, dryForMs, failingAfterMs }: PortalGatesOptions): PortalGates {
  const troubled = new Map<string, Troubled>();
  const troubleOf = (portalId: string): Troubled => {
    let entry = troubled.get(portalId);
    if (!entry) {
      entry = {
        failures: 0,
        failingSince: monotonicNow(),
        unavailable: false,
        refused: false,
        notBefore: 0,
        probeWaitMs: firstProbeWaitMs,
        probe: null,
      };
      troubled.set(portalId, entry);
    }
    return entry;
  };

  /** Why the caller may not start. `me`: the holder of the try is not blocked by its own try. */
  const closedFor = (portalId: string, me: Admission | null): { reason: PortalTrouble; waitMs: number } | null => {
    const dryMs = dryForMs(portalId);
    if (dryMs > 0) return { reason: 'portal_dry', waitMs: wholeMs(dryMs) };
    const entry = troubled.get(portalId);
    if (!entry || !(entry.unavailable || entry.refused)) return null;
    const reason = entry.unavailable ? 'portal_unavailable' : 'portal_dry';
    const waitMs = entry.notBefore - monotonicNow();
    if (waitMs > 0) return { reason, waitMs: wholeMs(waitMs) };
    return entry.probe && entry.probe !== me ? { reason, waitMs: probeLookMs } : null;
  };
  const mustBeTried = (portalId: string): boolean => {
    const entry = troubled.get(portalId);
    return entry !== undefined && (entry.unavailable || entry.refused);
  };

  const failed = (entry: Troubled): void => {
    entry.failures += 1;
    if (!entry.unavailable) {
      entry.unavailable = entry.failures >= failuresThatCount && monotonicNow() - entry.failingSince >= failingAfterMs;
      if (!entry.unavailable) return;
    }
    // Failures of calls that were under way when it closed do not count again.
    if (monotonicNow() < entry.notBefore) return;
    entry.notBefore = monotonicNow() + entry.probeWaitMs;
    entry.probeWaitMs = Math.min(entry.probeWaitMs * 2, longestProbeWaitMs);
  };

  return {
    admit: (portalId) => {
      if (portalId === null) return freeAdmission;
      const me: Admission = {
        room: () => {
          if (closedFor(portalId, me)) return 0;
          if (!mustBeTried(portalId)) return Infinity;
          troubleOf(portalId).probe = me;
          return 1;
        },
        trouble: () => closedFor(portalId, me)?.reason ?? null,
        end: () => {
          const entry = troubled.get(portalId);
          if (entry?.probe === me) entry.probe = null;
        },
      };
      return me;
    },
    room: (portalId) => {
      if (portalId === null) return Infinity;
      if (closedFor(portalId, null)) return 0;
      return mustBeTried(portalId) ? 1 : Infinity;
    },
    closed: (portalId) => (portalId === null ? null : closedFor(portalId, null)),
    apply: (portalId, answer) => {
      if (answer === 'answered') troubled.delete(portalId);
      else if (answer === 'failed') failed(troubleOf(portalId));
      // A limit of searches only leaves the portal open for all other calls.
      else if (dryForMs(portalId) > 0) troubleOf(portalId).refused = true;
    },
  };
}
