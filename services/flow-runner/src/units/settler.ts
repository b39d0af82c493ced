import {
  type BreakerSettings, type FlowBreaker, type HeldEvent, type PartitionLease, type RunStore, scopeText, type Settlement,
  type WorkClass,
} from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { PartitionLeases } from '../partitions/partition-leases';

/** Settlements written in one transaction at most. */
const maxBatch = 500;
/** The same of work below live, while live units end: one of them waits for no more than that. */
const maxBatchBesideLive = 50;
/** Live units end while one did in one of so many transactions. */
const remembered = 20;

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
  settle(settlement: Settlement, workClass?: WorkClass): Promise<Settled>;
}

interface Waiting {
  settlement: Settlement;
  isFirst: boolean;
  resolve(settled: Settled): void;
  reject(error: unknown): void;
}

const isHold = (settlement: Settlement): settlement is Settlement & { verdict: { kind: 'hold'; held: HeldEvent } } =>
  settlement.verdict.kind === 'hold';

/**
 * Whether it goes before those that wait longer: a live unit ends. Holds, and what is left of a held scope, keep their order, and
 * so does everything else.
 */
const goesFirst = ({ verdict, heldScope }: Settlement, workClass: WorkClass): boolean =>
  workClass === 'live' && verdict.kind === 'rows' && heldScope === undefined;

/**
 * The settlements that wait. While live units end, transactions are small, so that they wait for no long one; every second one
 * takes also others, so that these end, too (ADR 0386).
 */
class SettleQueue {
  private waiting: Waiting[] = [];
  private firsts = 0;
  private sinceFirst = remembered;
  private onlyFirsts = false;

  get length(): number {
    return this.waiting.length;
  }

  push(one: Waiting): void {
    this.waiting.push(one);
    if (one.isFirst) this.firsts += 1;
  }

  /** The next transaction, in the order in which they came. */
  next(): Waiting[] {
    const { firsts } = this;
    this.sinceFirst = firsts > 0 ? 0 : Math.min(remembered, this.sinceFirst + 1);
    let others = this.sinceFirst < remembered ? maxBatchBesideLive : maxBatch;
    this.onlyFirsts = firsts > 0 && firsts < this.waiting.length && !this.onlyFirsts;
    if (this.onlyFirsts) others = 0;
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.waiting) {
      const fits = batch.length < maxBatch && (one.isFirst || others > 0);
      if (fits && !one.isFirst) others -= 1;
      (fits ? batch : left).push(one);
    }
    this.waiting = left;
    this.firsts = left.reduce((count, { isFirst }) => count + Number(isFirst), 0);
    return batch;
  }
}

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
  const queue = new SettleQueue();
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
    const batch = queue.next();
    isWriting = true;
    try {
      await writeBatch(batch);
    } finally {
      isWriting = false;
      if (queue.length > 0) setImmediate(() => void write());
    }
  };
  return {
    settle: (settlement, workClass = 'live') => new Promise((resolve, reject) => {
      queue.push({ settlement, isFirst: goesFirst(settlement, workClass), resolve, reject });
      // In the next turn of the event loop, so that units that settle now share the transaction.
      if (!isWriting && queue.length === 1) setImmediate(() => { if (!isWriting) void write(); });
    }),
  };
}
