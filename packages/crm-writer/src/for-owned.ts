import type { CallFailure, CallResult } from '@sluice/ports';
import type { Asked } from './record-asks';

const leaseLost: CallFailure = {
  ok: false,
  kind: 'transient',
  code: 'lease_lost',
  message: 'the partition moved to another runner',
};

/**
 * Answers `lease_lost` for units whose partition is gone, and runs the rest: the portal session refuses a call as a whole, and
 * mates that are still owned must not be refused with the lost ones.
 */
export async function forOwned<Q extends Asked, A>(
  asks: readonly Q[],
  run: (owned: Q[]) => Promise<CallResult<A>[]>,
): Promise<CallResult<A>[]> {
  const owned = asks.filter((ask) => ask.unit.owned());
  const answers = owned.length === 0 ? [] : await run(owned);
  let next = 0;
  return asks.map((ask) => (owned[next] === ask ? answers[next++]! : leaseLost));
}
