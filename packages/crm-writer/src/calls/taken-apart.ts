import type { CallFailure, CallResult } from '@sluice/ports';
import type { UnitRequest } from './record-requests';

type Run<Q, A> = (asks: Q[]) => Promise<CallResult<A>[]>;

/** When this many single requests are refused with the same message, the call is wrong, not a request. */
const alikeMeansAll = 3;

/**
 * Runs a batch of reads. When it fails as a whole, it is halved until the bad request is alone, so that one value which the CRM
 * refuses fails only its own event. After a transient failure this is done only for events that failed before, and only while one
 * of the halves succeeds (ADR 0008).
 */
export async function takenApart<Q extends UnitRequest, A>(asks: Q[], run: Run<Q, A>): Promise<CallResult<A>[]> {
  return halved(asks, await run(asks), { run, alone: new Map() });
}

interface Apart<Q, A> {
  run: Run<Q, A>;
  /** How often a single request was refused with this message. */
  alone: Map<string, number>;
}

async function halved<Q extends UnitRequest, A>(asks: Q[], results: CallResult<A>[], apart: Apart<Q,
  A>): Promise<CallResult<A>[]> {
  const failure = wholeFailure(results);
  if (!failure || !mayBeOne(failure, asks)) return results;
  const { run, alone } = apart;
  if (asks.length === 1) {
    alone.set(failure.message, (alone.get(failure.message) ?? 0) + 1);
    return results;
  }
  if ([...alone.values()].some((times) => times >= alikeMeansAll)) return results;
  const half = Math.ceil(asks.length / 2);
  const parts = [asks.slice(0, half), asks.slice(half)] as const;
  const first = await run(parts[0]);
  if (failure.kind === 'permanent') {
    const before = await halved(parts[0], first, apart);
    return [...before, ...(await halved(parts[1], await run(parts[1]), apart))];
  }
  const second = await run(parts[1]);
  if (wholeFailure(first) && wholeFailure(second)) return [...first, ...second];
  return [...(await halved(parts[0], first, apart)), ...(await halved(parts[1], second, apart))];
}

/** The common failure of all; null: some succeeded, or the failures differ. */
function wholeFailure<A>(results: readonly CallResult<A>[]): CallFailure | null {
  const [first] = results;
  return first && !first.ok && results.every((result) => result === first) ? first : null;
}

/** Server errors, cut connections and timeouts, but no rate limits. */
const passing: ReadonlySet<string> = new Set(['crm_unavailable', 'crm_unreachable', 'crm_timeout', 'crm_unreadable']);

const mayBeOne = ({ kind, code }: CallFailure, asks: readonly UnitRequest[]): boolean =>
  kind === 'permanent' || (kind === 'transient' && passing.has(code) && asks.some(({ unit }) => unit.retried));
