import { type BreakerFeed, createConnectorDirectory } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import {
  type Activity,
  type CallObserver,
  createActivity,
  createCrmWriter,
  createPortalBudget,
  createPortalGates,
  type CrmWriter,
  type FileWork,
  portalAnswer,
  type PortalGates,
} from '@sluice/crm-writer';
import { type TraceRules, UsedSecrets } from '@sluice/flow-run';
import { isOpenInsideWait, type RunStore } from '@sluice/ports';
import { FlowBreakers } from '../admission/flow-breakers';
import { createCompiledConfigs } from '../connectors/compiled-configs';
import { CrashWatch } from '../crash-watch/crash-watch';
import { createHeldScopes } from '../held/held-scopes';
import type { PartitionLeases } from '../partitions/partition-leases';
import { retryingStore } from '../retrying-store';
import { checkedClaimTimes } from '../timing';
import { ImportStops } from '../units/attempts/import-stops';
import { ReadMemory } from '../units/read-memory';
import type { PluginDeps } from '../plugins/attempt-plugins';
import { PluginNotes } from '../plugins/plugin-notes';
import { createSettler } from '../units/settler';
import { readMemoryBytes } from './lane-memory';
import type { RunnerDeps, RunnerOptions } from './runner-deps';
import { createRunnerMetrics, type RunnerMetrics } from '../runner-metrics';
import { createRunnerTargets } from './create-runner-targets';
import { createUnitProcessor } from '../processing/unit-processor';

/** What the runners of all topics share: the store, the CRM and the processor of units. */
export function createProcessing(
  deps: RunnerDeps,
  options: RunnerOptions,
  { leases, breakers, stopped }: { leases: PartitionLeases; breakers: BreakerFeed; stopped(): boolean },
) {
  const { logger, monotonicNow, storeTime, sleep } = deps;
  const onWait = (error: Error): void =>
    logger.warn('the database does not answer, processing waits', { cause: error.message });
  const store = retryingStore(deps.store, { sleep, stopped, onWait });
  const metrics = createRunnerMetrics(deps.metrics);
  const [activity, readMemory] = [createActivity(), new ReadMemory(readMemoryBytes(options))];
  const directory = createConnectorDirectory({ reader: deps.reader, keepKeys: false });
  const isStopped = (connectorId: string, flowName: string): boolean => {
    const breaker = breakers.get(connectorId, flowName);
    return breaker !== undefined && isOpenInsideWait(breaker, storeTime.now());
  };
  const [configs, scopes] = [createCompiledConfigs(deps.reader), createHeldScopes(isStopped)];
  const flowBreakers = new FlowBreakers({
    store: deps.breakers, feed: breakers, storeNow: storeTime.now, logger, metrics,
  });
  // While the shared count of calls is unavailable, each process takes its share of a portal's budget. A runner that came since
  // then is seen by the partitions that it took.
  let allPartitions = 1;
  const runners = (): number => Math.ceil(allPartitions / Math.max(1, leases.held().length));
  const sharers = (): number => Math.max(runners(), deps.crmCallers());
  const secrets = new UsedSecrets();
  const { writer, gates } = crmOf(deps, options, { store, activity, leases, metrics, secrets, sharers });
  const crashWatch = new CrashWatch({
    store: deps.store.crashWatch,
    aloneDeaths: options.crashDeaths,
    watchMs: options.crashWatchMs,
    windowSize: options.maxBuffered,
    ...{ activity, monotonicNow, sleep, logger },
  });
  const targets = createRunnerTargets(deps, options, { activity, leases, metrics, secrets });
  const notes = new PluginNotes({ runs: deps.pluginRuns, logger, linesPerHour: options.pluginLinesPerHour });
  const plugins = pluginsOf(deps, options, { activity, leases, notes, targets });
  const processor = createUnitProcessor({
    ...{ writer, readMemory, storeNow: storeTime.now, crashWatch, metrics, activity, directory, configs, scopes, logger },
    ...{ targets, plugins, blobs: deps.blobs },
    importStops: new ImportStops({ imports: deps.imports, monotonicNow }),
    policy: options.policy,
    maxFileBytes: options.maxFileBytes,
    lateWriteMs: options.lateWriteMs,
    keptCharacters: options.keptCharacters,
    traces: tracesOf(secrets, options),
    owns: (unit) => leases.holds(unit.lease),
    ownedSince: (unit) => leases.since(unit.lease),
    flowBreakers,
    settler: createSettler(store, leases, { settings: options.breakers, learn: (changed) => flowBreakers.learn(changed) }),
  });
  const setPartitions = (partitions: number): void => { allPartitions = partitions; };
  return { store, directory, configs, scopes, crashWatch, readMemory, processor, flowBreakers, gates, notes, setPartitions };
}

/** What plugins of all attempts share. */
const pluginsOf = (
  { functions, pluginRuns: runs }: RunnerDeps, { pluginStoreKeys: maxKeys, pluginStoreValueBytes: maxValueBytes }: RunnerOptions,
  { activity, leases, notes, targets }: { activity: Activity; leases: PartitionLeases } & Pick<PluginDeps, 'notes' | 'targets'>,
): PluginDeps => ({
  functions, runs, notes, targets, waiting: activity.waiting, ...leases.forCalls(), maxKeys, maxValueBytes,
});

/** A batch that the CRM refuses is sent again in parts: so many calls after each other have ended within a reservation. */
const batchCalls = 10;

interface CrmParts {
  store: RunStore;
  activity: Activity;
  leases: PartitionLeases;
  metrics: RunnerMetrics;
  secrets: UsedSecrets;
  sharers(): number;
}

/** The CRM writer, and the gates that its calls open and close. */
function crmOf(
  deps: RunnerDeps,
  options: RunnerOptions,
  { store, activity, leases, metrics, secrets, sharers }: CrmParts,
): { writer: CrmWriter; gates: PortalGates } {
  const { monotonicNow, sleep } = deps;
  const budget = createPortalBudget({ kv: deps.kv, monotonicNow, sharers });
  const gates = createPortalGates({ monotonicNow, dryForMs: budget.dryForMs, failingAfterMs: options.portalFailingAfterMs });
  const called: CallObserver['called'] = (call) => {
    metrics.crm.called(call);
    for (const connectorId of call.connectorIds) deps.counts.add(connectorId, 'crm_calls');
    gates.apply(call.portalId, portalAnswer(call));
  };
  const writer = createCrmWriter({
    ...{ budget, store, activity, monotonicNow, sleep },
    storeNow: deps.storeTime.now,
    client: deps.crm,
    reader: deps.reader,
    observer: { called },
    tokenUsed: (credentialId, token) => secrets.add(credentialId, [token]),
    rememberedMappings: options.rememberedMappings,
    echoes: { kv: deps.kv, windowMs: options.echoWindowMs },
    maxInFlight: options.maxInFlight,
    expectsNewRecords: options.expectsNewRecords,
    callTimeoutMs: options.crmTimeoutMs,
    claimTimes: checkedClaimTimes(options),
    ...leases.forCalls(),
    files: fileWorkOf(deps, options),
    writeCaps: { store: deps.writeCaps, batchMs: batchCalls * options.crmTimeoutMs },
  });
  return { writer, gates };
}

/** What files and forms need. */
const fileWorkOf = (
  { crmFiles: client, downloads, blobs, kv }: RunnerDeps, { maxFileBytes, policy }: RunnerOptions,
): FileWork => ({
  ...{ client, downloads, blobs, kv },
  maxBytes: maxFileBytes,
  rememberMs: policy.ttlMs,
});

/** The rules for step traces of a connector's records: without its secrets and the token of its portal. */
const tracesOf =
  (secrets: UsedSecrets, { traceCharacters: characters }: RunnerOptions) =>
  ({ connector_id: id, binding }: ConnectorChange): TraceRules => ({
    characters,
    mask: secrets.maskOf(binding ? [id, binding.credential_id] : [id]),
  });
