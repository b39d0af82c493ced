import {
  callFailure, type CallFailure, type CallResult, type FailureCode, StoreUnavailable, type WriteCapEnd,
  type WriteCapStore,
} from '@sluice/ports';
import type { UnitRequest } from './record-requests';
import type { UnitContext } from '../shared/unit-context';

export interface WriteCapsDeps {
  store: Pick<WriteCapStore, 'reserve' | 'settle'>;
  /** How long a batch may take until all of its parts have their answers, milliseconds. */
  batchMs: number;
}

/** How soon a write that was refused may be asked for again: the batches under way may have written less than they reserved. */
const againMs = 1_000;

const reached: CallFailure = callFailure(
  'transient', 'write_cap_reached', 'the connector has written as many records as its first sync may before its release', againMs,
);

/** A create without an answer may have made its record, and its repeat then writes nothing: it counts. */
const mayHaveLanded: ReadonlySet<FailureCode> = new Set(['crm_timeout', 'crm_unreachable', 'crm_answer_incomplete']);

/** The caps of first syncs (ADR 0112): what may not be written any more is answered `write_cap_reached`, and not sent. */
export class WriteCaps {
  /** @param deps null: no connector has a cap */
  constructor(private readonly deps: WriteCapsDeps | null) {}

  /**
   * Runs a batch within the caps of its connectors: its writes are reserved before, and what was written is counted after it.
   * What is not counted, because this process dies or the store is away, counts as written when its reservation ends.
   * @param repeatable whether a write without an answer is sent again
   */
  async within<A extends UnitRequest, R>(
    asks: readonly A[], repeatable: boolean, run: (allowed: readonly A[]) => Promise<CallResult<R>[]>,
  ): Promise<CallResult<R>[]> {
    const capped = countByConnector(asks.flatMap(({ unit }) => (unit.capped ? [unit] : [])));
    if (this.deps === null || capped.size === 0) return run(asks);
    const reservations = await this.reserve(this.deps, capped);
    const isAllowed = ({ unit }: A): boolean => !unit.capped || reservations.has(unit.connectorId);
    const allowed = asks.filter(isAllowed);
    const results = allowed.length === 0 ? [] : await run(allowed);
    const written = (result: CallResult<R>): boolean => result.ok || (!repeatable && mayHaveLanded.has(result.code));
    const landed = countByConnector(allowed.flatMap(({ unit }, place) => (written(results[place]!) ? [unit] : [])));
    for (const [connectorId, reservation] of reservations)
      if (reservation !== null) await this.settle(this.deps, { connectorId, reservation, written: landed.get(connectorId) ?? 0 });
    let next = 0;
    return asks.map((ask) => (isAllowed(ask) ? results[next++]! : reached));
  }

  /** The reservation of each connector that may write; null: no cap counts for it any more. */
  private async reserve(
    { store, batchMs }: WriteCapsDeps, writes: ReadonlyMap<string, number>,
  ): Promise<Map<string, string | null>> {
    const reservations = new Map<string, string | null>();
    for (const [connectorId, count] of writes) {
      const answer = await store.reserve(connectorId, count, batchMs);
      if (answer.granted) reservations.set(connectorId, answer.reservation);
    }
    return reservations;
  }

  private async settle({ store }: WriteCapsDeps, end: WriteCapEnd): Promise<void> {
    try {
      await store.settle(end);
    } catch (error) {
      // The records are written: their units must learn of it.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

export const noWriteCaps = new WriteCaps(null);

function countByConnector(units: readonly UnitContext[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { connectorId } of units) counts.set(connectorId, (counts.get(connectorId) ?? 0) + 1);
  return counts;
}
