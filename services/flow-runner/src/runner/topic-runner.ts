import type { PortalGates } from '@sluice/crm-writer';
import type { KeyLanes, Work } from '@sluice/key-lanes';
import type {
  EventBus, Logger, MonotonicClock, PartitionLease, ReceivedMessage, RunStore, StoreClock, Subscription,
} from '@sluice/ports';
import { connectorScope, StoreUnavailable } from '@sluice/ports';
import type { ReadingSupervisor, TopicReader } from '@sluice/service-kit';
import type { FlowBreakers } from '../admission/flow-breakers';
import type { StartBlock } from '../admission/start-block';
import { UnitAdmission } from '../admission/unit-admission';
import type { CrashWatch } from '../crash-watch/crash-watch';
import type { HeldScopes } from '../held/held-scopes';
import { HeldWindow } from '../held/held-window';
import type { PartitionLeases } from '../partitions/partition-leases';
import type { ReadMemory } from '../units/read-memory';
import type { Unit } from '../units/unit';
import { BacklogRelief } from './backlog-relief';
import { commitOffsets } from '../intake/commit-offsets';
import { HeldRunner } from './held-runner';
import { lanesOf } from './lane-memory';
import { createOrderingBarrier, type OrderingBarrier } from '../ordering/ordering-barrier';
import { OtherPartitions } from '../ordering/other-partitions';
import type { OwnedPartition } from '../intake/owned-partition';
import { createPartitionHolder, type PartitionHolder } from '../intake/partition-holder';
import { intake, type IntakeDeps } from '../intake/partition-intake';
import { planAnew } from '../planning/plan-anew';
import { requiredPortal } from '../admission/required-portal';
import { PortalWaits } from './portal-waits';
import type { RunnerOptions } from './runner-deps';
import { type Progress, progressOf, untilIdle } from './topic-progress';
import { TakenUnits } from './taken-units';
import { waitForOlder } from './wait-for-older';
import { WaitingRows } from '../imports/waiting-rows';
import type { UnitProcessor } from '../processing/unit-processor';

export interface TopicRunnerDeps extends Omit<IntakeDeps, 'heldWindow' | 'quarantine'> {
  bus: EventBus;
  heldStore: Pick<RunStore, 'heldConnectors' | 'heldScopesDue' | 'heldScopesOfLanes' | 'heldRows' | 'heldOrderings'>;
  leases: PartitionLeases;
  scopes: HeldScopes;
  crashWatch: CrashWatch;
  readMemory: ReadMemory;
  processor: UnitProcessor;
  flowBreakers: Pick<FlowBreakers, 'refusal' | 'claim'>;
  logger: Logger;
  storeNow: StoreClock;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  gates: PortalGates;
  supervisor: ReadingSupervisor;
}

/** When a portal is dry for longer than this, the events of its connectors do not wait in memory but are held. */
const dryPatienceMs = 2_000;

/** Consumes one topic: fetches, orders by lane, runs, commits (docs/architecture.md, From the request to the CRM call). */
export class TopicRunner {
  private readonly lanes: KeyLanes<Unit>;
  private readonly holder: PartitionHolder;
  private readonly heldWindow: HeldWindow;
  private readonly barrier: OrderingBarrier;
  private readonly held: HeldRunner;
  private readonly runs: TakenUnits;
  private readonly portalWaits: PortalWaits;
  private readonly backlog: BacklogRelief;
  private readonly rows: WaitingRows;
  private readonly admission: UnitAdmission;
  private readonly reader: TopicReader<Subscription>;
  private subscribing: Promise<Subscription> | undefined;
  private pumping = false;
  private stopping = false;
  private lastProgressAt: number;

  constructor(private readonly deps: TopicRunnerDeps, private readonly options: RunnerOptions, private readonly topic: string) {
    this.lanes = lanesOf(options, (connectorId) => requiredPortal(deps.directory.get(connectorId)));
    const { lanes } = this;
    this.holder = createPartitionHolder({ ...deps, ...options, topic, lanes, subscribed: () => this.subscribing! });
    const { holder } = this;
    const isLaneUnfinished = (partition: number, lane: string): boolean =>
      holder.get(partition)?.unfinished.hasLane(lane) ?? false;
    this.heldWindow = new HeldWindow({ ...deps, ...options, topic, isLaneUnfinished });
    const { heldWindow } = this;
    this.barrier = createOrderingBarrier({
      ...deps, lanes, heldWindow, otherPartitions: new OtherPartitions({ ...deps, topic, group: options.group }),
    });
    this.admission = new UnitAdmission({ ...deps, topic, lanes, barrier: this.barrier });
    const own = {
      ...{ topic, lanes, holder, heldWindow, barrier: this.barrier, admission: this.admission },
      stopping: () => this.stopping,
      progressed: () => this.progressed(),
      lost: (lease: PartitionLease) => this.lost(lease),
      pump: () => this.pump(),
    };
    const { firstFailureWaitMs, maxDrains, maxLaneDrains } = options;
    this.held = new HeldRunner({ ...deps, firstFailureWaitMs, maxDrains, maxLaneDrains, ...own });
    this.runs = new TakenUnits({ ...deps, firstFailureWaitMs, ...own });
    this.portalWaits = new PortalWaits({ ...deps, ...own });
    const { leastImportRate } = options;
    this.rows = new WaitingRows({ ...deps, ...own, leastImportRate, begin: (work) => this.begin(work) });
    this.backlog = new BacklogRelief({ ...deps, ...own, options, runs: this.runs });
    this.reader = deps.supervisor.reader(this.place, () => this.subscribe());
    this.lastProgressAt = deps.monotonicNow();
  }

  start(): Promise<void> {
    return this.reader.start();
  }

  /** Starts the units that may start; called whenever a unit settled or a state changed. */
  pump(): void {
    if (this.pumping) return;
    this.pumping = true;
    setImmediate(() => this.pumpNow());
  }

  /** Runs held scopes that are due, and relieves partitions that are full. */
  lookAtHeld(): void {
    if (!this.stopping) this.backlog.look();
    this.held.look();
    if (!this.stopping) this.rows.look();
  }

  commit(): Promise<void> {
    return commitOffsets(this.holder.all(), this.lanes, this.reader.current());
  }

  lost(lease: PartitionLease): void {
    if (!this.holder.isCurrent(lease)) return;
    const { topic } = this;
    this.deps.logger.warn('partition lost to another runner', { topic, partition: lease.partition, epoch: String(lease.epoch) });
    this.holder.revoked(lease.partition);
    // The group still assigns the partition to this runner and has delivered messages that are now dropped: joining again reads
    // from the committed offset.
    this.reader.renew();
  }

  /** Ok while the broker answers and, if units are under way, some of them finish. */
  progress(): Progress {
    const stuckMs = this.lanes.stats().inFlight > 0 ? this.deps.monotonicNow() - this.lastProgressAt : 0;
    return progressOf(this.reader.current()?.silentForMs(), stuckMs);
  }

  /** Stops taking, waits for what is under way, commits and leaves the group. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.reader.openNoMore();
    this.holder.giveUpWaiting();
    this.lanes.drain();
    this.rows.giveUp();
    await untilIdle(this.deps, deadlineMs, () => this.lanes.stats().inFlight === 0 && this.held.running() === 0);
    this.holder.abandonBusy();
    // Events whose offset is not committed are fetched again and found finished: a failed commit must not fail the stop.
    const failed = (error: unknown): void => this.deps.logger.warn('last commit failed', { topic: this.topic, error });
    await this.commit().catch(failed);
    await this.reader.stop();
  }

  private get place(): { topic: string; reader: string } {
    return { topic: this.topic, reader: this.options.group };
  }

  private progressed(): void {
    this.lastProgressAt = this.deps.monotonicNow();
  }

  // --- taking in ----------------------------------------------------------------------------------------------

  private subscribe(): Promise<Subscription> {
    const handlers = {
      assigned: (partition: number) => this.holder.assigned(partition),
      revoked: (partition: number) => {
        this.barrier.forget(partition);
        this.holder.revoked(partition);
      },
      messages: (partition: number, batch: ReceivedMessage[]) => this.takeIn(partition, batch),
    };
    const { topic, options: { group, owner: member } } = this;
    this.subscribing = this.deps.bus.subscribe({ topic, group, member, handlers, fromStart: true });
    return this.subscribing;
  }

  private async takeIn(partition: number, batch: ReceivedMessage[]): Promise<void> {
    const entry = this.holder.get(partition);
    const early = entry?.epoch === null;
    const lease = entry ? await entry.ready : null;
    if (!entry || !lease || entry.revoked || this.stopping || (early && entry.rewound)) return;
    if (this.isReset(entry, batch[0]!.offset, early)) return this.readAgain(entry, batch[0]!.offset);
    const began = this.deps.monotonicNow();
    const items = await this.insistOnIntake(entry, lease, batch);
    if (items === null || entry.revoked) return;
    for (const { value } of items) this.barrier.seen(value);
    this.rows.seen(items, this.deps.monotonicNow() - began);
    this.lanes.add(items, partition, lease.epoch);
    this.lanes.skipTo(partition, lease.epoch, batch.at(-1)!.offset);
    this.backlog.joinHeld(partition, new Set(items.map(({ group }) => group)));
    if (this.lanes.shouldPause(partition) && entry.pausedAt === null) {
      this.reader.current()?.pause(partition);
      this.backlog.paused(entry);
    }
    this.pump();
  }

  /**
   * Whether offsets that were fetched come again although nobody asked for them: the log has lost its end, and what is in their
   * place may be new. Events that ended are recognized by their ids (ADR 0102). What was fetched before the partition was taken
   * may begin before its start offset, because the last owner went on committing: then the log ends behind that offset.
   */
  private isReset({ partition, logEnd }: OwnedPartition, offset: bigint, early: boolean): boolean {
    const seen = this.lanes.seen(partition);
    return seen !== null && offset <= seen && !(early && logEnd > seen);
  }

  private readAgain({ partition, pausedAt }: OwnedPartition, from: bigint): void {
    const seen = this.lanes.seen(partition);
    const { topic } = this;
    this.deps.logger.error('the log gave known offsets again, its end was lost; it is read again', {
      topic, partition, from: String(from), known: String(seen),
    });
    this.barrier.forget(partition);
    this.holder.readAgain(partition, from);
    if (pausedAt !== null) this.reader.current()?.resume(partition);
  }

  /** The bus delivers a batch once, so the intake is repeated until it succeeds. null: the partition was given up meanwhile. */
  private insistOnIntake(
    entry: OwnedPartition,
    lease: PartitionLease,
    batch: ReceivedMessage[],
  ): Promise<Awaited<ReturnType<typeof intake>> | null> {
    const { deps, heldWindow } = this;
    const wanted = (): boolean => !entry.revoked && !this.stopping;
    const at = { ...this.place, partition: entry.partition };
    const quarantine = async (unit: Unit, deaths: number): Promise<void> => {
      const { kind } = await deps.processor.quarantine(unit, deaths);
      if (kind === 'again') throw new StoreUnavailable('the quarantine was not stored');
      if (kind === 'refused') this.lost(lease);
    };
    return deps.supervisor.insist(at, () => intake({ ...deps, heldWindow, quarantine }, lease, batch, entry.unfinished), wanted);
  }

  private resumePaused(): void {
    for (const entry of this.holder.all()) {
      if (entry.pausedAt === null || !this.lanes.shouldResume(entry.partition)) continue;
      entry.pausedAt = null;
      this.reader.current()?.resume(entry.partition);
    }
  }

  // --- running ------------------------------------------------------------------------------------------------

  private pumpNow(): void {
    this.pumping = false;
    if (this.stopping) return;
    const taken = this.lanes.take(this.options.maxInFlight);
    // The first work after an idle time: the idle time does not count as stuck.
    if (taken.length > 0 && taken.length === this.lanes.stats().inFlight) this.progressed();
    this.rows.begin(taken);
    this.resumePaused();
  }

  private begin(work: Work<Unit>): void {
    const unit = work.item.value;
    const answer = this.admission.admit(unit);
    if (answer.block) return this.putOff(work, answer.block);
    void this.runs.conclude(work, this.deps.processor.attempt(unit, null, answer.admission), answer.admission);
  }

  /** Handles a unit that may not start. */
  private putOff(work: Work<Unit>, block: StartBlock): void {
    const { deps, runs } = this;
    const unit = work.item.value;
    if ('refusal' in block) return runs.hold(work, block.refusal);
    switch (block.kind) {
      case 'stale_plan':
        return void runs.conclude(work, planAnew(deps, unit));
      case 'older_ordering':
      case 'ordering_unknown':
        return void runs.conclude(work, waitForOlder(this.barrier, deps.processor, unit, deps.storeNow()));
      case 'portal_closed':
        return this.waitForPortal(work, block);
      default:
        // What blocks a unit of a held scope: one of the log would wait in its lane.
        return void this.lanes.release(work);
    }
  }

  private waitForPortal(work: Work<Unit>, { reason, waitMs }: Extract<StartBlock, { kind: 'portal_closed' }>): void {
    const { connector_id: connectorId } = work.item.value.envelope;
    if (reason === 'portal_unavailable' || waitMs > dryPatienceMs)
      return this.runs.hold(work, { scope: connectorScope(connectorId), reason, dueAt: this.deps.storeNow() + waitMs });
    this.lanes.release(work);
    this.portalWaits.wait(connectorId, waitMs);
  }
}
