import type { ClaimAnswer, ClaimKey, MonotonicClock, RunStore } from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { Activity } from '../batching/activity';
import type { ClaimTimes } from './claim-times';
import { createCoalescer } from '../batching/coalescer';
import { createOneAtATime } from '../batching/one-at-a-time';
import type { UnitContext } from '../shared/unit-context';

const keyText = (key: ClaimKey): string => JSON.stringify([key.portalId, key.objectType, key.property, key.value]);

/**
 * The answer to a claim, and until when a create may be sent under it, by this process's clock and counted from before the claim.
 */
export type TimedClaim = ClaimAnswer & { sendBy: number };

/**
 * Claims before creates (ADR 0007): before a record is created for an identity value, a claim is written. Within this process
 * creates for one value wait for each other, so that the second finds the mapping of the first.
 */
export interface IdentityClaims {
  claim(unit: UnitContext, key: ClaimKey): Promise<TimedClaim>;
  /** Runs `work` while no other unit of this process works on the same value. */
  alone<T>(key: ClaimKey, work: () => Promise<T>): Promise<T>;
}

export interface IdentityClaimsOptions {
  activity: Activity;
  times: Pick<ClaimTimes, 'sendWithinMs' | 'abandonedAfterMs'>;
  monotonicNow: MonotonicClock;
}

export function createIdentityClaims(
  store: Pick<RunStore, 'claim'>,
  { activity, times, monotonicNow }: IdentityClaimsOptions,
): IdentityClaims {
  const { abandonedAfterMs, sendWithinMs } = times;
  const oneAtATime = createOneAtATime(activity);
  const claims = createCoalescer<{ unit: UnitContext; key: ClaimKey }, ClaimAnswer>({
    maxBatch: 500,
    maxConcurrent: 2,
    activity,
    conflictKey: (ask) => keyText(ask.key),
    run: async (asks) => {
      const claimants = asks.map(({ unit }) => ({ connectorId: unit.connectorId, unit: unit.unitKey }));
      const answers = await store.claim(
        asks.map(({ key }) => key),
        claimants,
        { abandonedAfterMs },
      );
      failpoint('after_claim');
      return answers;
    },
  });
  return {
    claim: async (unit, key) => {
      const sendBy = monotonicNow() + sendWithinMs;
      return { sendBy, ...(await claims.ask({ unit, key })) };
    },
    alone: (key, work) => oneAtATime(keyText(key), work),
  };
}
