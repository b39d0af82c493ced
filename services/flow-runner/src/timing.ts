import type { ClaimTimes } from '@sluice/crm-writer';
import { claimsKeptMs } from '@sluice/ports';
import { SettingsError } from '@sluice/service-kit';

/** Times of a runner that depend on each other, milliseconds. Only this file defines how. */
export interface RunnerTimes {
  /** How long a runner owns a partition after it asked for it, and how often it renews that. */
  leaseMs: number;
  renewEveryMs: number;
  /**
   * For how long after a renewal calls may start. An owner whose session is gone and that has not renewed for so long counts as
   * dead: it has missed a renewal and its repeat.
   */
  startWithinMs: number;
  /** How long a new owner waits after the lease of the former one ended. */
  leaseGraceMs: number;
  /** How long a revoked partition waits for units under way before its lease is left to expire. */
  giveBackMs: number;
  /** Longest wait for an answer of the CRM. */
  crmTimeoutMs: number;
  /** How long after it was sent a write without an answer may still take effect in the CRM. */
  lateWriteMs: number;
  /** How late the CRM's search index may be. */
  searchLagMs: number;
  /** How long after its claim a create may be sent. */
  createWithinMs: number;
  /** The least time between the search lag and the age at which a claim is abandoned. */
  claimMarginMs: number;
}

/** Times that no setting changes. */
export const fixedTimes = {
  leaseMs: 10_000, renewEveryMs: 2_000, startWithinMs: 3_000, leaseGraceMs: 500, giveBackMs: 9_000, createWithinMs: 10_000,
  claimMarginMs: 60_000,
} as const;

/**
 * The ages of claims: a claim is abandoned once no create under it can take effect any more and the search shows those that did.
 */
export function claimTimes({ searchLagMs, lateWriteMs, createWithinMs, claimMarginMs }: RunnerTimes): ClaimTimes {
  const landsWithinMs = createWithinMs + lateWriteMs;
  const abandonedAfterMs = searchLagMs + Math.max(claimMarginMs, landsWithinMs);
  return { searchLagMs, sendWithinMs: createWithinMs, landsWithinMs, abandonedAfterMs };
}

interface Rule {
  holds(times: RunnerTimes): boolean;
  says(times: RunnerTimes): string;
}

const inS = (ms: number): string => `${ms / 1_000} s`;

const rules: readonly Rule[] = [
  {
    // One renewal may fail without the lease being lost.
    holds: ({ leaseMs, renewEveryMs }) => 2 * renewEveryMs <= leaseMs,
    says: ({ leaseMs, renewEveryMs }) =>
      `the lease of a partition (${inS(leaseMs)}) must last for two renewals (every ${inS(renewEveryMs)})`,
  },
  {
    // Else no call could start shortly before each renewal.
    holds: ({ startWithinMs, renewEveryMs }) => startWithinMs > renewEveryMs,
    says: ({ startWithinMs, renewEveryMs }) =>
      `calls must be able to start (for ${inS(startWithinMs)}) until the next renewal (every ${inS(renewEveryMs)})`,
  },
  {
    // A call starts only when it can end inside the lease. Just before a renewal that is the lease less the time between two.
    holds: ({ crmTimeoutMs, leaseMs, renewEveryMs }) => crmTimeoutMs <= leaseMs - renewEveryMs,
    says: ({ crmTimeoutMs, leaseMs, renewEveryMs }) =>
      `SLUICE_CRM_TIMEOUT (${inS(crmTimeoutMs)}) must be at most ${inS(leaseMs - renewEveryMs)}: `
      + `a call must end inside the lease of its partition (${inS(leaseMs)}, renewed every ${inS(renewEveryMs)})`,
  },
  {
    // Else a planned move would wait for the lease to run out whenever a call is under way.
    holds: ({ crmTimeoutMs, giveBackMs }) => crmTimeoutMs <= giveBackMs,
    says: ({ crmTimeoutMs, giveBackMs }) =>
      `SLUICE_CRM_TIMEOUT (${inS(crmTimeoutMs)}) must be at most ${inS(giveBackMs)}: `
      + 'a partition that is given back waits so long for the calls under way',
  },
  {
    // A write counts as unanswered when its timeout is over: a shorter wait would be over before it begins.
    holds: ({ crmTimeoutMs, lateWriteMs }) => lateWriteMs === 0 || lateWriteMs >= crmTimeoutMs,
    says: ({ crmTimeoutMs, lateWriteMs }) =>
      `SLUICE_CRM_LATE_WRITE (${inS(lateWriteMs)}) must be 0 or at least SLUICE_CRM_TIMEOUT (${inS(crmTimeoutMs)}): `
      + 'both count from when the write was sent',
  },
  {
    // A claim that was deleted does not prevent a second create.
    holds: (times) => claimTimes(times).abandonedAfterMs < claimsKeptMs,
    says: (times) =>
      `SLUICE_SEARCH_LAG (${inS(times.searchLagMs)}) and SLUICE_CRM_LATE_WRITE (${inS(times.lateWriteMs)}) are too long: a claim `
      + `of an identity is abandoned after ${inS(claimTimes(times).abandonedAfterMs)} and forgotten after ${inS(claimsKeptMs)}`,
  },
];

/** @throws SettingsError that names every rule the times break */
function checkTimes(times: RunnerTimes): void {
  const problems = rules.filter(({ holds }) => !holds(times)).map(({ says }) => says(times));
  if (problems.length > 0) throw new SettingsError(problems);
}

/** The ages of claims of a runner that starts. @throws SettingsError as `checkTimes` does */
export function checkedClaimTimes(times: RunnerTimes): ClaimTimes {
  checkTimes(times);
  return claimTimes(times);
}
