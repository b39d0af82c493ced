import { createConnectorDirectory, followConnectors } from '@sluice/connector-feed';
import { createActivity, createCrmWriter, createPortalBudget, createPortalGates, portalAnswer } from '@sluice/crm-writer';
import { secretMask, type TraceRules } from '@sluice/flow-run';
import { createTicker, ReadingSupervisor } from '@sluice/service-kit';
import { createCompiledConfigs } from '../connectors/compiled-configs';
import { CrashWatch } from '../crash-watch/crash-watch';
import { createHeldScopes } from '../held/held-scopes';
import { createPartitionLeases } from '../partitions/partition-leases';
import { retryingStore } from '../retrying-store';
import { checkedClaimTimes } from '../timing';
import { ReadMemory } from '../units/read-memory';
import { createSettler } from '../units/settler';
import { readMemoryBytes } from './lane-memory';
import type { RunnerDeps, RunnerOptions } from './runner-deps';
import { createRunnerMetrics } from './runner-metrics';
import { createTopicRunner, type TopicRunner } from './topic-runner';
import { createUnitProcessor } from './unit-processor';

/** How long a stop waits for units under way; the whole stop takes at most 20 s. */
const drainMs = 12_000;

/** The flow runner: everything between the bus and the CRM. */
export interface Runner {
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): { ok: boolean; reason?: string };
  /** Not ok once reading a topic has failed for too long. */
  alive(): { ok: boolean; reason?: string };
}

export function createRunner(deps: RunnerDeps, options: RunnerOptions): Runner {
  const { logger, now, monotonicNow, sleep } = deps;
  let stopped = false;
  const store = retryingStore(deps.store, { sleep, stopped: () => stopped, onWait: (error) => logger.warn('the database does not answer, processing waits', { cause: error.message }) });
  const metrics = createRunnerMetrics(deps.metrics);
  const supervisor = new ReadingSupervisor({ ...options.reading, logger, metrics: deps.metrics, monotonicNow, sleep });
  const [activity, readMemory] = [createActivity(), new ReadMemory(readMemoryBytes(options))];
  const directory = createConnectorDirectory({ reader: deps.reader, keepKeys: false });
  const configs = createCompiledConfigs(deps.reader);
  const scopes = createHeldScopes();
  const runners: TopicRunner[] = [];
  const leases = createPartitionLeases({
    ...options, graceMs: options.leaseGraceMs, ownership: deps.store.ownership, monotonicNow, sleep,
    onLost: (lease) => runners.forEach((runner) => runner.lost(lease)),
    onError: (error) => logger.warn('partition leases could not be kept', { error }),
  });
  // How many runners share the partitions: their part of a portal's budget when the shared count cannot be asked.
  let allPartitions = 1;
  const budget = createPortalBudget({ kv: deps.kv, now: monotonicNow, liveRunners: () => Math.ceil(allPartitions / Math.max(1, leases.held().length)) });
  const gates = createPortalGates({ now: monotonicNow, dryForMs: budget.dryForMs, failingAfterMs: options.portalFailingAfterMs });
  const writer = createCrmWriter({
    client: deps.crm, reader: deps.reader, budget, observer: { called: (call) => { metrics.crm.called(call); gates.apply(call.portalId, portalAnswer(call)); } }, now: monotonicNow, sleep, store, activity,
    rememberedMappings: options.rememberedMappings,
    maxInFlight: options.maxInFlight, callTimeoutMs: options.crmTimeoutMs, claimTimes: checkedClaimTimes(options), insideLease: (ms) => leases.fits(ms),
  });
  const crashWatch = new CrashWatch({
    store: deps.store.crashWatch, maxDeaths: options.crashDeaths, watchMs: options.crashWatchMs, windowSize: options.maxBuffered, activity, monotonicNow, logger,
  });
  const processor = createUnitProcessor({
    writer, blobs: deps.blobs, readMemory, policy: options.policy, lateWriteMs: options.lateWriteMs, now, crashWatch, metrics, traces: tracesOf(deps, options),
    owns: (unit) => leases.holds(unit.lease), activity, directory, configs, scopes, settler: createSettler(store, leases), logger,
  });
  for (const topic of options.topics) {
    runners.push(createTopicRunner({
      bus: deps.bus, store, heldStore: store, directory, configs, leases, scopes, crashWatch, readMemory, processor, logger, now,
      monotonicNow, sleep, gates, supervisor,
    }, options, topic));
  }
  const feed = followConnectors({ bus: deps.bus, directory, supervisor, logger });
  directory.onChange(() => runners.forEach((runner) => runner.pump()));

  const committer = createTicker({ name: 'commit', everyMs: options.commitEveryMs, logger, run: async () => void (await Promise.all(runners.map((runner) => runner.commit()))) });
  const heldLook = createTicker({ name: 'held', everyMs: options.heldLookMs, logger, run: async () => runners.forEach((runner) => runner.lookAtHeld()) });

  return {
    start: async () => {
      await feed.start();
      const counts = await Promise.all(options.topics.map((topic) => deps.bus.partitions(topic)));
      allPartitions = counts.reduce((sum, partitions) => sum + partitions, 0);
      for (const runner of runners) await runner.start();
      committer.start();
      heldLook.start();
    },
    stop: async () => {
      await heldLook.stop();
      await Promise.all(runners.map((runner) => runner.stop(drainMs)));
      stopped = true;
      await committer.stop();
      await feed.stop();
      await leases.stop();
    },
    ready: () => [supervisor.ready(), feed.ready(), ...runners.map((runner) => runner.progress())].find(({ ok }) => !ok) ?? { ok: true },
    alive: () => supervisor.alive(),
  };
}

/** What is kept of the steps of a connector's records. */
const tracesOf = ({ secretsOf }: RunnerDeps, { traceCharacters: characters }: RunnerOptions) => (connectorId: string): TraceRules =>
  ({ characters, mask: secretMask(secretsOf?.(connectorId) ?? []) });
