import type { CallResult } from '@sluice/ports';
import type { CoalescerOptions } from '../batching/coalescer';
import { createCoalescerFamily, type CoalescerFamily } from '../batching/coalescer-family';
import type { UnitRequest } from './record-requests';
import { classOfUnit } from '../shared/unit-context';

/**
 * Coalescers of calls that are made for many units at once. A unit whose partition is lost does not fail the others of its batch;
 * live units go first, and a convoy does not wait for its own calls.
 */
export function createCallFamily<Q extends UnitRequest, A>(
  options: (name: string) => Omit<CoalescerOptions<Q, CallResult<A>>, 'onIdle' | 'classOf' | 'convoyOf' | 'hurry'>,
): CoalescerFamily<Q, CallResult<A>> {
  return createCoalescerFamily((name) => {
    const { run, ...others } = options(name);
    return {
      ...others,
      classOf: ({ unit }) => classOfUnit(unit),
      convoyOf: ({ unit }) => (unit.inConvoy ? unit.connectorId : null),
      hurry: ({ unit }, workClass) => unit.hurry?.(workClass),
      run: (asks) => withoutLost(asks, run),
    };
  });
}

const isLost = (answer: CallResult<unknown> | undefined): boolean => answer?.ok === false && answer.code === 'lease_lost';

/** The portal session refuses a whole call when this runner no longer owns one of its units: the others are sent again. */
async function withoutLost<Q extends UnitRequest, A>(
  asks: Q[], run: (asks: Q[]) => Promise<CallResult<A>[]>,
): Promise<CallResult<A>[]> {
  const answers = await run(asks);
  const again = asks.filter(({ unit }, index) => isLost(answers[index]) && unit.owned());
  if (again.length === 0 || again.length === asks.length) return answers;
  const later = await withoutLost(again, run);
  return asks.map((ask, index) => later[again.indexOf(ask)] ?? answers[index]!);
}
