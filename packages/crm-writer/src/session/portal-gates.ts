import { type Admission, type CallSign, createGates, type Gates, type GatesOptions } from '@sluice/gates';
import type { CallReport } from './portal-session';

/** Why work of a portal waits. */
export type PortalTrouble = 'portal_dry' | 'portal_unavailable';

/** The gates of CRM portals (ADR 0031), by portal id: all work of a closed portal waits together, without using up attempts. */
export type PortalGates = Gates<PortalTrouble>;

/** The permission of one drain or one unit to start work of a portal. */
export type PortalAdmission = Admission<PortalTrouble>;

/** What a call shows about its portal, independent of the results of its records. */
export function portalAnswer({ failure, status }: Pick<CallReport, 'failure' | 'status'>): CallSign {
  if (status === 429) return 'refused';
  return failure === 'transient' ? 'failed' : 'answered';
}

export interface PortalGatesOptions extends Pick<GatesOptions<PortalTrouble>, 'monotonicNow' | 'failingAfterMs'> {
  /** Milliseconds until the portal's rate allows calls again. */
  dryForMs(portalId: string): number;
}

/** A try is one call of some hundred milliseconds: units of the portal wait in memory for its end. */
const askAgainMs = 200;

export const createPortalGates = ({ dryForMs, ...options }: PortalGatesOptions): PortalGates =>
  createGates({
    ...options,
    refusesForMs: dryForMs,
    reasons: { refused: 'portal_dry', failing: 'portal_unavailable' },
    askAgainMs,
  });
