import type { PortalAdmission } from '@sluice/crm-writer';
import type { KeyLanes, Work } from '@sluice/key-lanes';
import type { Logger, MonotonicClock, PartitionLease } from '@sluice/ports';
import { holdsLane } from '../held/held-scope';
import type { Unit } from '../units/unit';
import { createFailureWaits, type FailureWaits } from './failure-waits';
import type { IntakeDeps } from '../intake/partition-intake';
import type { PartitionHolder } from '../intake/partition-holder';
import { isStale, planAnew } from '../planning/plan-anew';
import type { StartRefusal } from '../admission/start-block';
import type { UnitProcessor } from '../processing/unit-processor';

export interface TakenUnitsDeps extends Pick<IntakeDeps, 'directory' | 'configs' | 'crashWatch'> {
  topic: string;
  lanes: Pick<KeyLanes<Unit>, 'complete' | 'release' | 'divertBehind'>;
  holder: Pick<PartitionHolder, 'isCurrent' | 'get' | 'count'>;
  processor: Pick<UnitProcessor, 'hold'>;
  logger: Logger;
  firstFailureWaitMs: number;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  stopping(): boolean;
  /** A unit ended. */
  progressed(): void;
  /** A unit may be able to start. */
  pump(): void;
  /** The store refused a write because the partition has a newer owner. */
  lost(lease: PartitionLease): void;
}

/** The result for a unit that was taken from its lane. `again`: nothing was stored; `planned`: it has a new plan. */
type Outcome = { kind: 'settled' | 'refused' | 'planned' | 'again' };

/** After an attempt that stored nothing the unit is tried again this much later. */
const againMs = 500;

/** Handles units that were taken from their lanes, until they are finished or released to them. */
export class TakenUnits {
  private readonly failures: FailureWaits<Unit>;

  constructor(private readonly deps: TakenUnitsDeps) {
    this.failures = createFailureWaits<Unit>(deps.firstFailureWaitMs);
  }

  /**
   * Waits for the outcome of a unit, then completes it in its lane or releases it.
   * @param admission what it needs at its portal meanwhile, which is ended
   */
  async conclude(work: Work<Unit>, outcome: Promise<Outcome>, admission?: Pick<PortalAdmission, 'end'>): Promise<void> {
    const { holder, topic, logger } = this.deps;
    const { partition, value: unit } = work.item;
    let againAfterMs: number | null = null;
    holder.count(partition, 1);
    try {
      const { kind } = await outcome;
      if (kind === 'again') againAfterMs = againMs;
      else if (kind === 'planned') againAfterMs = 0;
      else this.finish(work);
      if (kind === 'refused') this.deps.lost(unit.lease);
    } catch (error) {
      logger.error('unit of work failed unexpectedly', { topic, partition, event_id: unit.key.eventId, error });
      againAfterMs = this.failures.next(unit);
    } finally {
      admission?.end();
      holder.count(partition, -1);
    }
    if (againAfterMs !== null) await this.putBack(work, againAfterMs);
  }

  /** Holds a unit and, where its lane must wait, all that follow it in the lane. */
  hold(work: Work<Unit>, refusal: StartRefusal): void {
    // A flow's scope blocks only that flow: each following unit is checked on its own.
    const followers = holdsLane(refusal.scope) ? this.deps.lanes.divertBehind(work) : [];
    for (const one of [work, ...followers]) this.holdOne(one, refusal);
  }

  /** A unit with a plan of an older version is planned first, because it may have to join another flow's scope. */
  holdOne(work: Work<Unit>, refusal: StartRefusal): void {
    const unit = work.item.value;
    const held = isStale(this.deps, unit) ? planAnew(this.deps, unit) : this.deps.processor.hold(unit, refusal, null);
    void this.conclude(work, held);
  }

  private finish(work: Work<Unit>): void {
    const unit = work.item.value;
    const { holder } = this.deps;
    if (holder.isCurrent(unit.lease)) holder.get(unit.lease.partition)?.unfinished.remove(unit);
    this.deps.lanes.complete(work);
    this.deps.progressed();
    this.deps.pump();
  }

  /** Waits until the time is over, the runner stops, or the partition has another owner. */
  private async putBack(work: Work<Unit>, afterMs: number): Promise<void> {
    const { monotonicNow, holder } = this.deps;
    const until = monotonicNow() + afterMs;
    while (monotonicNow() < until && !this.deps.stopping() && holder.isCurrent(work.item.value.lease))
      await this.deps.sleep(Math.min(againMs, until - monotonicNow()));
    this.deps.lanes.release(work);
    this.deps.pump();
  }
}
