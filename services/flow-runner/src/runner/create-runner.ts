import { followBreakers, followConnectors } from '@sluice/connector-feed';
import { type PartitionLease, StoreUnavailable } from '@sluice/ports';
import { mayGoOn } from '../admission/flow-breakers';
import { FinishedReads } from '../intake/finished-reads';
import { createTicker, type Ticker } from '@sluice/service-kit';
import { CallTimes } from '../partitions/call-times';
import { DeadRunners } from '../partitions/dead-runners';
import { PartitionLeases } from '../partitions/partition-leases';
import { createProcessing } from './create-processing';
import type { RunnerDeps, RunnerOptions } from './runner-deps';
import { TopicRunner } from './topic-runner';

/** How long a stop waits for units under way; the whole stop takes at most 20 s. */
const drainMs = 12_000;

/** The flow runner: everything between the bus and the CRM. */
export interface Runner {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether it makes progress. That its topics can be read at all is a check of the supervisor. */
  ready(): { ok: boolean; reason?: string };
}

export function createRunner(deps: RunnerDeps, options: RunnerOptions): Runner {
  const { logger, supervisor } = deps;
  let stopped = false;
  const runners: TopicRunner[] = [];
  const leases = leasesOf(deps, options, (lease) => runners.forEach((runner) => runner.lost(lease)));
  const breakers = followBreakers({ store: deps.breakers, logger, monotonicNow: deps.monotonicNow });
  const processing = createProcessing(deps, options, { leases, breakers, stopped: () => stopped });
  breakers.onChange((breaker) => {
    if (mayGoOn(breaker, deps.storeTime.now())) processing.scopes.wake(breaker.connectorId, breaker.flowName);
  });
  const finishedReads = new FinishedReads(processing.store);
  for (const topic of options.topics)
    runners.push(new TopicRunner(
      { ...deps, ...processing, store: finishedReads, heldStore: processing.store, storeNow: deps.storeTime.now, leases },
      options, topic,
    ));
  const { directory } = processing;
  const feed = followConnectors({ bus: deps.bus, directory, supervisor, logger });
  directory.onChange(() => runners.forEach((runner) => runner.pump()));
  const tickers = tickersOf(deps, options, runners);
  return {
    start: async () => {
      breakers.start();
      await Promise.all([feed.start(), breakers.asked()]);
      const counts = await Promise.all(options.topics.map((topic) => deps.bus.partitions(topic)));
      processing.setPartitions(counts.reduce((sum, partitions) => sum + partitions, 0));
      for (const runner of runners) await runner.start();
      tickers.commit.start();
      tickers.held.start();
      // A single-process installation has no other runners.
      if (!options.takeOver) tickers.dead.start();
    },
    stop: async () => {
      await Promise.all([tickers.held.stop(), tickers.dead.stop()]);
      await Promise.all(runners.map((runner) => runner.stop(drainMs)));
      stopped = true;
      await tickers.commit.stop();
      await Promise.all([feed.stop(), breakers.stop()]);
      await leases.stop();
      await processing.notes.flush();
    },
    ready: () => {
      const checks = [feed.ready(), ...runners.map((runner) => runner.progress())];
      return checks.find(({ ok }) => !ok) ?? { ok: true };
    },
  };
}

function leasesOf(
  { store, logger, monotonicNow, storeTime, sleep }: RunnerDeps,
  options: RunnerOptions,
  onLost: (lease: PartitionLease) => void,
): PartitionLeases {
  return new PartitionLeases({
    ...options,
    graceMs: options.leaseGraceMs,
    calls: new CallTimes({ monotonicNow, leastMs: options.deadCallsMs }),
    ownership: store.ownership,
    monotonicNow,
    sleep,
    onLost,
    told: storeTime.told,
    onError: (error) => logger.warn('partition leases could not be kept', { error }),
  });
}

type Tickers = Record<'commit' | 'held' | 'dead', Ticker>;

function tickersOf(
  { bus, store, logger, monotonicNow }: RunnerDeps, options: RunnerOptions, runners: readonly TopicRunner[],
): Tickers {
  const commitAll = async (): Promise<void> => void (await Promise.all(runners.map((runner) => runner.commit())));
  const lookAtHeld = async (): Promise<void> => runners.forEach((runner) => runner.lookAtHeld());
  const { group, owner, startWithinMs: silentMs } = options;
  const dead = new DeadRunners({ bus, ownership: store.ownership, group, owner, silentMs, monotonicNow, logger });
  const lookForDead = (): Promise<void> => dead.look().catch(unlessAway);
  return {
    commit: createTicker({ name: 'commit', everyMs: options.commitEveryMs, logger, run: commitAll }),
    held: createTicker({ name: 'held', everyMs: options.heldLookMs, logger, run: lookAtHeld }),
    dead: createTicker({ name: 'dead runners', everyMs: options.deadLookMs, logger, run: lookForDead, immediately: false }),
  };
}

/** The next look asks again. */
function unlessAway(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
