import { createKeyLanes, type KeyLanes, type Work } from '@sluice/key-lanes';
import type { EventBus, Logger, PartitionHandlers, PartitionLease, ReceivedMessage, RunStore, Subscription } from '@sluice/ports';
import { StoreUnavailable, unitKeyText } from '@sluice/ports';
import { failpoint } from '../failpoint';
import type { HeldScopes } from '../held/held-scopes';
import type { PartitionLeases } from '../partitions/partition-leases';
import type { Unit } from '../units/unit';
import { connectorScope } from '../units/verdict';
import type { OwnedPartition } from './owned-partition';
import { createFailureWaits } from './failure-waits';
import { createHeldRunner } from './held-runner';
import { createPartitionHolder } from './partition-holder';
import { intake, type IntakeDeps } from './partition-intake';
import { isStale, planAnew } from './plan-anew';
import type { RunnerOptions } from './runner-deps';
import type { UnitProcessor } from './unit-processor';

export interface TopicRunnerDeps extends IntakeDeps {
  bus: EventBus;
  heldStore: Pick<RunStore, 'heldScopes' | 'heldRows'>;
  leases: PartitionLeases;
  scopes: HeldScopes;
  processor: UnitProcessor;
  logger: Logger;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Milliseconds until the portal of a connector allows calls again. */
  dryForMs(connectorId: string): number;
}

/** A portal dry for longer than this no longer keeps its connectors' events in memory (DESIGN 2.9). */
const dryPatienceMs = 2_000;

/** After an attempt that stored nothing the unit is tried again this much later. */
const againMs = 500;

/** Consumes one topic: fetches, orders by lane, runs, commits (DESIGN 2.3 to 2.9). */
export interface TopicRunner {
  start(): Promise<void>;
  /** Starts what may start; called whenever something settled or changed. */
  pump(): void;
  /** Runs held scopes that are due. */
  lookAtHeld(): void;
  commit(): Promise<void>;
  lost(lease: PartitionLease): void;
  /** True when the broker is heard and, while there is work, some of it gets done. */
  progress(): { ok: boolean; reason?: string };
  /** Stops taking, waits for what is under way, commits and leaves the group. */
  stop(deadlineMs: number): Promise<void>;
}

export function createTopicRunner(deps: TopicRunnerDeps, options: RunnerOptions, topic: string): TopicRunner {
  const lanes: KeyLanes<Unit> = createKeyLanes({
    maxInFlight: options.maxInFlight, maxBuffered: options.maxBuffered, maxPerGroup: options.maxPerConnector, maxConvoy: options.maxConvoy,
  });
  let subscription: Subscription | undefined;
  let [pumping, stopping] = [false, false];
  let joining: Promise<void> = Promise.resolve();
  const failures = createFailureWaits<Unit>(options.firstFailureWaitMs);
  let lastProgressAt = deps.now();
  const progressed = (): void => { lastProgressAt = deps.now(); };
  const holder = createPartitionHolder({ ...deps, topic, lanes, group: options.group });
  const held = createHeldRunner({ ...deps, topic, lanes, holder, maxDrains: options.maxDrains, firstFailureWaitMs: options.firstFailureWaitMs, stopping: () => stopping, progressed, lost: (lease) => lost(lease) });

  // --- taking in ----------------------------------------------------------------------------------------------

  /** A batch is handed over once: it is taken in however long the database is away. null: given up meanwhile. */
  const takeIn = async (entry: OwnedPartition, lease: PartitionLease, batch: ReceivedMessage[]): Promise<Awaited<ReturnType<typeof intake>> | null> => {
    while (!entry.revoked && !stopping) {
      try {
        return await intake(deps, lease, batch, entry.inHand);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await deps.sleep(500);
      }
    }
    return null;
  };

  const messages = async (partition: number, batch: ReceivedMessage[]): Promise<void> => {
    const entry = holder.get(partition);
    const lease = entry ? await entry.ready : null;
    if (!entry || !lease || entry.revoked || stopping) return;
    const items = await takeIn(entry, lease, batch);
    if (items === null || entry.revoked) return;
    lanes.add(items, partition, lease.epoch);
    lanes.skipTo(partition, lease.epoch, batch.at(-1)!.offset);
    if (lanes.shouldPause(partition) && !entry.paused) {
      entry.paused = true;
      subscription?.pause(partition);
    }
    pump();
  };

  const resumePaused = (): void => {
    for (const entry of holder.all()) {
      if (!entry.paused || !lanes.shouldResume(entry.partition)) continue;
      entry.paused = false;
      subscription?.resume(entry.partition);
    }
  };

  // --- running ------------------------------------------------------------------------------------------------

  const finish = (work: Work<Unit>): void => {
    const { lease, key } = work.item.value;
    if (holder.isCurrent(lease)) holder.get(lease.partition)?.inHand.delete(unitKeyText(key));
    lanes.complete(work);
    progressed();
    pump();
  };
  /** Waits as long as that is of use: a stop, and whoever takes the partition over, wait for nothing that only waits. */
  const putBack = async (work: Work<Unit>, afterMs: number): Promise<void> => {
    const until = deps.now() + afterMs;
    while (deps.now() < until && !stopping && holder.isCurrent(work.item.value.lease)) await deps.sleep(Math.min(againMs, until - deps.now()));
    lanes.release(work);
    pump();
  };
  const finishAs = async (work: Work<Unit>, run: Promise<{ kind: 'settled' | 'refused' | 'planned' | 'again' }>): Promise<void> => {
    const { partition } = work.item;
    let againAfterMs: number | null = null;
    holder.count(partition, 1);
    try {
      const processed = await run;
      if (processed.kind === 'again') againAfterMs = againMs;
      else if (processed.kind === 'planned') againAfterMs = 0;
      else finish(work);
      if (processed.kind === 'refused') lost(work.item.value.lease);
    } catch (error) {
      deps.logger.error('unit of work failed unexpectedly', { topic, partition, event_id: work.item.value.key.eventId, error });
      againAfterMs = failures.next(work.item.value);
    } finally {
      holder.count(partition, -1);
    }
    if (againAfterMs !== null) await putBack(work, againAfterMs);
  };

  const holdWithFollowers = (work: Work<Unit>, hindrance: NonNullable<ReturnType<UnitProcessor['hindrance']>>): void => {
    for (const one of [work, ...lanes.divertBehind(work)]) void finishAs(one, deps.processor.hold(one.item.value, hindrance, null));
  };

  const waitForPortal = (work: Work<Unit>, dryMs: number): void => {
    const { connector_id: connectorId } = work.item.value.envelope;
    if (dryMs > dryPatienceMs) return holdWithFollowers(work, { scope: connectorScope(connectorId), reason: 'portal_dry', dueAt: deps.now() + dryMs });
    lanes.release(work);
    lanes.blockGroup(connectorId);
    void deps.sleep(dryMs).then(() => {
      lanes.unblockGroup(connectorId);
      pump();
    });
  };

  const begin = (work: Work<Unit>): void => {
    const unit = work.item.value;
    if (isStale(deps, unit)) return void finishAs(work, planAnew(deps, unit));
    const hindrance = deps.processor.hindrance(unit, unit.flowName, null);
    if (hindrance) return holdWithFollowers(work, hindrance);
    const dryMs = deps.dryForMs(unit.envelope.connector_id);
    if (dryMs > 0) return waitForPortal(work, dryMs);
    void finishAs(work, attemptAndDivert(work));
  };

  /** When an event of a lane must wait, what is behind it in memory goes to the held store with it. */
  const attemptAndDivert = async (work: Work<Unit>): Promise<{ kind: 'settled' | 'refused' | 'again' }> => {
    const processed = await deps.processor.attempt(work.item.value, null);
    if (processed.kind === 'settled' && processed.scope && processed.scope.scope.startsWith('lane:')) {
      const hindrance = { scope: processed.scope.scope, reason: processed.scope.reason, dueAt: null };
      for (const behind of lanes.divertBehind(work)) void finishAs(behind, deps.processor.hold(behind.item.value, hindrance, null));
    }
    return processed;
  };

  const pumpNow = (): void => {
    pumping = false;
    if (stopping) return;
    spillBacklog();
    for (const work of lanes.take(options.maxInFlight)) begin(work);
    resumePaused();
  };
  function pump(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(pumpNow);
  }

  /** A connector whose backlog keeps others of the partition from being fetched moves to the held store (DESIGN 2.9). */
  const spillBacklog = (): void => {
    const paused = [...holder.all()].some((entry) => entry.paused);
    if (!paused || lanes.stats().groups < 2) return;
    for (const connectorId of lanes.overflow()) {
      const hindrance = { scope: connectorScope(connectorId), reason: 'backlog' as const, dueAt: deps.now() + 1_000 };
      for (const work of lanes.divertGroup(connectorId, options.maxPerConnector)) void finishAs(work, deps.processor.hold(work.item.value, hindrance, null));
    }
  };

  // --- committing and stopping --------------------------------------------------------------------------------

  const commit = async (): Promise<void> => {
    const offsets: { entry: OwnedPartition; next: bigint }[] = [];
    for (const entry of holder.all()) {
      const next = lanes.committable(entry.partition);
      if (next === null || next === entry.lastCommitted) continue;
      offsets.push({ entry, next });
    }
    if (offsets.length === 0 || !subscription) return;
    failpoint('before_commit');
    await subscription.commit(offsets.map(({ entry, next }) => ({ partition: entry.partition, next })));
    // Only now: one that failed is asked for again, also when nothing new comes.
    for (const { entry, next } of offsets) entry.lastCommitted = next;
  };

  function lost(lease: PartitionLease): void {
    if (!holder.isCurrent(lease)) return;
    deps.logger.warn('partition lost to another runner', { topic, partition: lease.partition, epoch: String(lease.epoch) });
    holder.revoked(lease.partition);
    // The group still counts on us for it, and has handed out what we now forgot: joining anew reads from the committed offset.
    joining = joining.then(rejoin).catch((error: unknown) => deps.logger.error('group could not be joined anew', { topic, error }));
  }

  const rejoin = async (): Promise<void> => {
    if (stopping) return;
    await subscription?.stop();
    if (!stopping) subscription = await deps.bus.subscribe({ topic, group: options.group, handlers, fromStart: true });
  };

  const handlers: PartitionHandlers = { assigned: holder.assigned, revoked: holder.revoked, messages };
  return {
    start: async () => { subscription = await deps.bus.subscribe({ topic, group: options.group, handlers, fromStart: true }); },
    pump, commit, lost, lookAtHeld: held.look,
    progress: () => {
      const silent = subscription?.silentForMs() ?? Number.POSITIVE_INFINITY;
      if (silent > 30_000) return { ok: false, reason: `nothing heard from the bus for ${Math.round(silent / 1_000)} s` };
      const stuckMs = lanes.stats().inFlight > 0 ? deps.now() - lastProgressAt : 0;
      return stuckMs > 60_000 ? { ok: false, reason: `no unit of work finished for ${Math.round(stuckMs / 1_000)} s` } : { ok: true };
    },
    stop: async (deadlineMs) => {
      stopping = true;
      holder.giveUpWaiting();
      lanes.drain();
      const deadline = deps.now() + deadlineMs;
      while ((lanes.stats().inFlight > 0 || held.running() > 0) && deps.now() < deadline) await deps.sleep(20);
      holder.abandonBusy();
      // What is not committed is fetched again and found finished; a stop must not end half-way for it.
      await commit().catch((error: unknown) => deps.logger.warn('last commit failed', { topic, error }));
      await joining;
      await subscription?.stop();
    },
  };
}
