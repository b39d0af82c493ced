import {
  type BreakerSettings, type FlowBreaker, type HeldEvent, type PartitionLease, type RunStore, scopeText, type Settlement,
} from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { PartitionLeases } from '../partitions/partition-leases';

/** Settlements written in one transaction at most. */
const maxBatch = 500;

/**
 * The result of a settlement. `heldLeft`: rows left in the scope that the unit was taken from, counted in the same transaction.
 */
export interface Settled {
  refused: boolean;
  /** It ran under an older binding of its connector: nothing was stored, and it has to run again. */
  rebound: boolean;
  heldLeft: number | null;
}

/**
 * Writes the outcomes of units: many in one transaction, one transaction at a time, before their offsets. With one transaction at
 * a time, holds of a lane keep their order, and "the scope is empty" is reliable.
 */
export interface Settler {
  settle(settlement: Settlement): Promise<Settled>;
}

interface Waiting {
  settlement: Settlement;
  resolve(settled: Settled): void;
  reject(error: unknown): void;
}

const isHold = (settlement: Settlement): settlement is Settlement & { verdict: { kind: 'hold'; held: HeldEvent } } =>
  settlement.verdict.kind === 'hold';

/** Each ownership once. Its settlements mostly share one object, so that few keys have to be made. */
function leasesOf(settlements: readonly Settlement[]): Iterable<PartitionLease> {
  const distinct = new Set(settlements.map(({ lease }) => lease));
  return new Map([...distinct].map((lease) => [`${lease.partition} ${lease.epoch} ${lease.topic}`, lease])).values();
}

/** The rules for the breakers of flows, and what becomes of them. */
export interface SettledBreakers {
  settings: BreakerSettings;
  learn(breakers: readonly FlowBreaker[]): void;
}

/**
 * @param leases know up to which offsets the partitions are settled, which is stored with each settlement
 * @param breakers absent: what attempts mean for breakers is not stored
 */
export function createSettler(
  store: Pick<RunStore, 'settle'>, leases: Pick<PartitionLeases, 'known' | 'settled'>, breakers?: SettledBreakers,
): Settler {
  let queue: Waiting[] = [];
  let isWriting = false;

  const writeBatch = async (batch: Waiting[]): Promise<void> => {
    try {
      const settlements = batch.map(({ settlement }) => settlement);
      const answer = await store.settle(settlements, leases.known(leasesOf(settlements)), breakers?.settings);
      leases.settled(answer.revisions);
      if (answer.breakers.length > 0) breakers?.learn(answer.breakers);
      if (settlements.some(isHold)) failpoint('after_hold');
      failpoint('after_outcome');
      const [refused, rebound] = [new Set(answer.refused), new Set(answer.rebound)];
      batch.forEach(({ settlement, resolve }, index) => resolve({
        refused: refused.has(index),
        rebound: rebound.has(index),
        heldLeft: settlement.heldScope === undefined ? null : (answer.heldLeft.get(scopeText(settlement.heldScope)) ?? 0),
      }));
    } catch (error) {
      // A row that the database refuses must not fail the others: each is written alone, in their order.
      if (batch.length > 1) for (const one of batch) await writeBatch([one]);
      else batch[0]!.reject(error);
    }
  };

  const write = async (): Promise<void> => {
    const batch = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    isWriting = true;
    try {
      await writeBatch(batch);
    } finally {
      isWriting = false;
      if (queue.length > 0) setImmediate(() => void write());
    }
  };
  return {
    settle: (settlement) => new Promise((resolve, reject) => {
      queue.push({ settlement, resolve, reject });
      // In the next turn of the event loop, so that units that settle now share the transaction.
      if (!isWriting && queue.length === 1) setImmediate(() => { if (!isWriting) void write(); });
    }),
  };
}
