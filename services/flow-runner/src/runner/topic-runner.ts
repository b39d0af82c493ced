import type { PortalGates } from '@sluice/crm-writer';
import type { Work } from '@sluice/key-lanes';
import type { EventBus, Logger, PartitionHandlers, PartitionLease, ReceivedMessage, RunStore, Subscription } from '@sluice/ports';
import { failpoint, type ReadingSupervisor } from '@sluice/service-kit';
import type { CrashWatch } from '../crash-watch/crash-watch';
import { holdsLane } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';
import { HeldWindow } from '../held/held-window';
import type { PartitionLeases } from '../partitions/partition-leases';
import type { ReadMemory } from '../units/read-memory';
import type { Unit } from '../units/unit';
import { connectorScope } from '../units/verdict';
import type { OwnedPartition } from './owned-partition';
import { createFailureWaits } from './failure-waits';
import { createHeldRunner } from './held-runner';
import { createOrderingBarrier, waitForOlder } from './ordering-barrier';
import { createPartitionHolder } from './partition-holder';
import { intake, type IntakeDeps } from './partition-intake';
import { isStale, planAnew } from './plan-anew';
import { lanesOf } from './lane-memory';
import { portalOf } from './portal-of';
import type { RunnerOptions } from './runner-deps';
import type { StartRefusal, UnitProcessor } from './unit-processor';

export interface TopicRunnerDeps extends Omit<IntakeDeps, 'heldWindow'> {
  bus: EventBus;
  heldStore: Pick<RunStore, 'heldConnectors' | 'heldScopesDue' | 'heldScopesOfLanes' | 'heldRows' | 'heldOrderings'>;
  leases: PartitionLeases;
  scopes: HeldScopes;
  crashWatch: CrashWatch;
  readMemory: ReadMemory;
  processor: UnitProcessor;
  logger: Logger;
  now(): number;
  monotonicNow(): number;
  sleep(ms: number): Promise<void>;
  gates: PortalGates;
  supervisor: ReadingSupervisor;
}

type TakenIn = Awaited<ReturnType<typeof intake>>;

/** A portal dry for longer than this no longer keeps its connectors' events in memory. */
const dryPatienceMs = 2_000;

/** After an attempt that stored nothing the unit is tried again this much later. */
const againMs = 500;

const drainBounds = ({ maxDrains, maxLaneDrains, firstFailureWaitMs }: RunnerOptions): Pick<RunnerOptions, 'maxDrains' | 'maxLaneDrains' | 'firstFailureWaitMs'> =>
  ({ maxDrains, maxLaneDrains, firstFailureWaitMs });

/** Holds a unit. Planned under an older version it is planned first: another flow's scope may be the one it must join. */
const setAside = (deps: TopicRunnerDeps, unit: Unit, refusal: StartRefusal): ReturnType<typeof planAnew | UnitProcessor['hold']> =>
  isStale(deps, unit) ? planAnew(deps, unit) : deps.processor.hold(unit, refusal, null);

/** Consumes one topic: fetches, orders by lane, runs, commits (docs/architecture.md, The way of an event). */
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
  const lanes = lanesOf(options);
  let subscribing: Promise<Subscription> | undefined;
  let [pumping, stopping, lastProgressAt] = [false, false, deps.monotonicNow()];
  const [failures, waitingForPortal] = [createFailureWaits<Unit>(options.firstFailureWaitMs), new Set<string>()];
  const progressed = (): void => { lastProgressAt = deps.monotonicNow(); };
  const holder = createPartitionHolder({ ...deps, ...options, topic, lanes, subscribed: () => subscribing! });
  const heldWindow = new HeldWindow({ ...deps, ...options, topic, isLaneInHand: (partition, lane) => holder.get(partition)?.inHand.hasLane(lane) ?? false });
  const barrier = createOrderingBarrier({ ...deps, lanes, heldWindow });
  const own = { topic, lanes, holder, heldWindow, barrier, stopping: () => stopping, progressed, lost };
  const held = createHeldRunner({ ...deps, ...drainBounds(options), ...own });

  const place = { topic, reader: options.group };
  const revoked: PartitionHandlers['revoked'] = (partition) => {
    barrier.forget(partition);
    holder.revoked(partition);
  };
  const subscribe = (): Promise<Subscription> => {
    const handlers = { assigned: holder.assigned, revoked, messages };
    subscribing = deps.bus.subscribe({ topic, group: options.group, handlers, fromStart: true });
    return subscribing;
  };
  const reader = deps.supervisor.reader(place, subscribe);

  // --- taking in ----------------------------------------------------------------------------------------------

  /** A batch is handed over once: it is taken in however often that fails. null: given up meanwhile. */
  const takeIn = (entry: OwnedPartition, lease: PartitionLease, batch: ReceivedMessage[]): Promise<TakenIn | null> => {
    const wanted = (): boolean => !entry.revoked && !stopping;
    const at = { ...place, partition: entry.partition };
    return deps.supervisor.insist(at, () => intake({ ...deps, heldWindow }, lease, batch, entry.inHand), wanted);
  };

  async function messages(partition: number, batch: ReceivedMessage[]): Promise<void> {
    const entry = holder.get(partition);
    const early = entry?.epoch === null;
    const lease = entry ? await entry.ready : null;
    if (!entry || !lease || entry.revoked || stopping || (early && entry.rewound)) return;
    const items = await takeIn(entry, lease, batch);
    if (items === null || entry.revoked) return;
    for (const { value } of items) barrier.seen(value);
    lanes.add(items, partition, lease.epoch);
    lanes.skipTo(partition, lease.epoch, batch.at(-1)!.offset);
    if (lanes.shouldPause(partition) && !entry.paused) {
      entry.paused = true;
      reader.current()?.pause(partition);
    }
    pump();
  }

  const resumePaused = (): void => {
    for (const entry of holder.all()) {
      if (!entry.paused || !lanes.shouldResume(entry.partition)) continue;
      entry.paused = false;
      reader.current()?.resume(entry.partition);
    }
  };

  // --- running ------------------------------------------------------------------------------------------------

  const finish = (work: Work<Unit>): void => {
    const unit = work.item.value;
    if (holder.isCurrent(unit.lease)) holder.get(unit.lease.partition)?.inHand.remove(unit);
    lanes.complete(work);
    progressed();
    pump();
  };
  /** Waits as long as that is of use: a stop, and whoever takes the partition over, wait for nothing that only waits. */
  const putBack = async (work: Work<Unit>, afterMs: number): Promise<void> => {
    const until = deps.monotonicNow() + afterMs;
    while (deps.monotonicNow() < until && !stopping && holder.isCurrent(work.item.value.lease)) await deps.sleep(Math.min(againMs, until - deps.monotonicNow()));
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

  const holdWithFollowers = (work: Work<Unit>, refusal: StartRefusal): void => {
    // A flow's scope keeps only that flow waiting: each follower is asked for its own.
    const followers = holdsLane(refusal.scope) ? lanes.divertBehind(work) : [];
    for (const one of [work, ...followers]) void finishAs(one, setAside(deps, one.item.value, refusal));
  };

  const waitForPortal = (work: Work<Unit>, { reason, waitMs }: NonNullable<ReturnType<PortalGates['closed']>>): void => {
    const { connector_id: connectorId } = work.item.value.envelope;
    if (reason === 'portal_unavailable' || waitMs > dryPatienceMs) return holdWithFollowers(work, { scope: connectorScope(connectorId), reason, dueAt: deps.now() + waitMs });
    lanes.release(work);
    // One wait for all that was taken together: a wait for each would end in as many looks, each of which takes all of them again.
    if (waitingForPortal.has(connectorId)) return;
    waitingForPortal.add(connectorId);
    lanes.blockGroup(connectorId);
    void deps.sleep(waitMs).then(() => {
      waitingForPortal.delete(connectorId);
      lanes.unblockGroup(connectorId);
      pump();
    });
  };

  const begin = (work: Work<Unit>): void => {
    const unit = work.item.value;
    if (isStale(deps, unit)) return void finishAs(work, planAnew(deps, unit));
    const refusal = deps.processor.refusal(unit, unit.flowName, null);
    if (refusal) return holdWithFollowers(work, refusal);
    if (barrier.state(unit) !== 'open') return void finishAs(work, waitForOlder(barrier, deps.processor, unit, deps.now()));
    const portal = portalOf(deps.directory.get(unit.envelope.connector_id));
    const admission = deps.gates.admit(portal);
    const closed = admission.room() === 0 ? deps.gates.closed(portal) : null;
    if (closed) return waitForPortal(work, closed);
    void finishAs(work, deps.processor.attempt(unit, null, admission).finally(() => admission.end()));
  };

  const pumpNow = (): void => {
    pumping = false;
    if (stopping) return;
    spillBacklog();
    const taken = lanes.take(options.maxInFlight);
    // The first work after a quiet time: it has not been stuck since the last one ended.
    if (taken.length > 0 && taken.length === lanes.stats().inFlight) progressed();
    for (const work of taken) begin(work);
    resumePaused();
  };
  function pump(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(pumpNow);
  }

  /** Moves a connector to the held store when its backlog keeps others of the partition from being fetched. */
  const spillBacklog = (): void => {
    const paused = [...holder.all()].some((entry) => entry.paused);
    if (!paused || lanes.stats().groups < 2) return;
    for (const connectorId of lanes.overflow()) {
      const refusal = { scope: connectorScope(connectorId), reason: 'backlog' as const, dueAt: deps.now() + 1_000 };
      const spilt = lanes.divertGroup(connectorId, options.maxPerConnector);
      for (const work of spilt) void finishAs(work, setAside(deps, work.item.value, refusal));
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
    const subscription = reader.current();
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
    reader.renew();
  }

  return {
    start: () => reader.start(),
    pump, commit, lost, lookAtHeld: held.look,
    progress: () => {
      const stuckMs = lanes.stats().inFlight > 0 ? deps.monotonicNow() - lastProgressAt : 0;
      return progressOf(reader.current()?.silentForMs(), stuckMs);
    },
    stop: async (deadlineMs) => {
      stopping = true;
      reader.openNoMore();
      holder.giveUpWaiting();
      lanes.drain();
      await untilIdle(deps, deadlineMs, () => lanes.stats().inFlight === 0 && held.running() === 0);
      holder.abandonBusy();
      // What is not committed is fetched again and found finished; a stop must not end half-way for it.
      await commit().catch((error: unknown) => deps.logger.warn('last commit failed', { topic, error }));
      await reader.stop();
    },
  };
}

/**
 * @param silentMs how long nothing was heard from the bus; undefined: not subscribed
 * @param stuckMs how long nothing got done although something is under way
 */
function progressOf(silentMs: number | undefined, stuckMs: number): { ok: boolean; reason?: string } {
  if (silentMs === undefined) return { ok: false, reason: 'not subscribed to the bus' };
  if (silentMs > 30_000) return { ok: false, reason: `nothing heard from the bus for ${Math.round(silentMs / 1_000)} s` };
  return stuckMs > 60_000 ? { ok: false, reason: `no unit of work finished for ${Math.round(stuckMs / 1_000)} s` } : { ok: true };
}

async function untilIdle({ monotonicNow, sleep }: Pick<TopicRunnerDeps, 'monotonicNow' | 'sleep'>, patienceMs: number, idle: () => boolean): Promise<void> {
  for (const deadline = monotonicNow() + patienceMs; !idle() && monotonicNow() < deadline; ) await sleep(20);
}
