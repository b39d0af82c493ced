import { setTimeout as sleep } from 'node:timers/promises';
import {
  allTopics, connectorChanges, encodeEnvelope, eventsInbound, lanePartition, type ConfigDocument, type ConnectorChange,
} from '@sluice/contracts';
import type { CrmSimulator } from '@sluice/crm-simulator';
import { startSimulatedCrm } from '@sluice/crm-writer/test-support';
import {
  type BlobStore, type FileDownloads, type FunctionPlatform, type ImportStore, monotonicClock, type RecordRow, silentLogger,
  type SourceCredential, wallClock,
} from '@sluice/ports';
import {
  createMemoryBlobStore, createMemoryBus, createMemoryLog, createMemoryPluginRuns, createMemoryRunStore, createMemoryWriteCaps,
  emptyPluginState, FunctionPlatformTwin, type MemoryPluginState, type MemoryRunStore, type MemoryWriteCaps, unusedPort,
} from '@sluice/ports/testing';
import { createRestClient } from '@sluice/rest-client';
import { createMetrics, createStoreTime, ReadingSupervisor } from '@sluice/service-kit';
import { createRunner, type Runner } from '../runner/create-runner';
import { defaultOptions } from '../runner/options-of-settings';
import type { RunnerOptions } from '../runner/runner-deps';
import { deadKeyValue } from './dead-key-value';
import { envelopeOf, labConnector, type LabEvent, laneOf } from './lab-event';
import { bindingTo, labPortal, LabReader } from './lab-reader';

export { labConnector, type LabEvent } from './lab-event';
export { order, shopConfig } from './shop-config';

/** Like the other one, and bound to the same portal. */
export const secondConnector = '11111111-1111-4111-8111-222222222222';
const connectors = [labConnector, secondConnector];
/** Of each topic of events. */
export const labPartitions = 4;

/** A record of the simulator as its control surface shows it. */
export interface SimRecord {
  id: string;
  archived: boolean;
  properties: Record<string, string | null>;
  writes: number;
  write_log: { at: string; properties: Record<string, string | null> }[];
  associations: { to_object_type: string; to_id: string; types: number[] }[];
}

/** A flow runner on in-memory twins and a real simulator over HTTP. */
export interface RunnerLab {
  store: MemoryRunStore;
  simulator: CrmSimulator;
  /** Of the simulator. */
  url: string;
  runners: Runner[];
  /** Publishes data events on the connector's lane, or, with `record`, entities entries on their own lanes. */
  send(events: readonly LabEvent[]): Promise<void>;
  change(change: Partial<ConnectorChange>): Promise<void>;
  /** Another portal in the simulator. @returns its id */
  addPortal(): Promise<string>;
  /** Binds the connector to another portal. */
  rebind(portalId: string): Promise<void>;
  /** Binds the second connector to a portal of its own, before a runner knows it. */
  bindSecond(portalId: string): void;
  /** Makes another config the active version. */
  publish(config: ConfigDocument): Promise<void>;
  /** Lets time pass for the store, whose clock tells the age of claims. */
  passStoreTime(ms: number): void;
  /** Lets time pass for the runners' monotonic clock. */
  passRunnerTime(ms: number): void;
  /** Somebody sets the wall clock of the runners' machine: from now on it is ahead by so much. */
  setWallClock(aheadMs: number): void;
  /** The cap of the connector's first sync: none, until it is armed. Its states change the connector as the store does. */
  writeCaps: MemoryWriteCaps;
  /** Arms a cap of so many records. */
  cap(limit: number): Promise<void>;
  /** The next so many reads of the tokens of portals find the database away. */
  loseTokenReads(count: number): void;
  /** The log loses its newest messages: a broker that had no copy of them became its leader. */
  loseTail(count: number): void;
  /** How often runners have joined the group of the topic. */
  joins(): number;
  /** Ends every subscription that is open, as the bus does when it cannot go on. */
  endSubscriptions(error: Error): void;
  /** Messages of the events topic that the runners have not committed. */
  uncommitted(): Promise<bigint>;
  addRunner(options?: Partial<RunnerOptions>): Promise<Runner>;
  /** Whether every runner can read what it reads. */
  reads(): boolean;
  records(objectType: string, portalId?: string): Promise<SimRecord[]>;
  /** A call of the simulator: its control surface, or the CRM as the portal's own app sees it. */
  sim(method: string, path: string, body?: unknown): Promise<any>;
  rows(): RecordRow[];
  stop(): Promise<void>;
}

export interface RunnerLabParts {
  /** Default: in memory. */
  blobs?: BlobStore;
  /** Credentials that sources name. */
  credentials?: Record<string, SourceCredential>;
  /** Waits between the tries of reading. */
  readingWaitsMs?: readonly number[];
  /** What addresses give. Default: nothing may be read. */
  downloads?: FileDownloads;
  /** Whether rows of an import may not begin. */
  stopOf?: ImportStore['stopOf'];
  /** Runs plugins. Default: a twin without functions. */
  functions?: FunctionPlatform;
  /** What plugins of the lab store. */
  pluginState?: MemoryPluginState;
}

export async function runnerLab(
  config: ConfigDocument, options: Partial<RunnerOptions> = {},
  {
    blobs = createMemoryBlobStore(), credentials = {}, readingWaitsMs = [1_000, 2_000], downloads = unusedPort('downloads'),
    stopOf = () => Promise.resolve(null),
    functions = new FunctionPlatformTwin(), pluginState = emptyPluginState(),
  }: RunnerLabParts = {},
): Promise<RunnerLab> {
  const { simulator, url, client: crm, close: closeCrm } = await startSimulatedCrm();
  const log = createMemoryLog();
  const bus = createMemoryBus({ log });
  await bus.ensureTopics(allTopics.map((topic) => ({ ...topic, partitions: topic.partitions === 1 ? 1 : labPartitions })));
  let joins = 0;
  const supervisors: ReadingSupervisor[] = [];
  const fails: ((error: unknown) => void)[] = [];
  const countingBus: typeof bus = {
    ...bus,
    subscribe: async (input) => {
      joins += 1;
      const subscription = await bus.subscribe(input);
      const ended = new Promise<unknown>((resolve) => fails.push((error) => void subscription.stop().then(() => resolve(error))));
      return { ...subscription, failed: Promise.race([subscription.failed, ended]) };
    },
  };
  // It starts at 0: no time that anything may be dated with.
  const bornAt = performance.now();
  const steady = (): number => performance.now() - bornAt;
  let [storeAheadMs, idledMs, wallAheadMs] = [0, 0, 0];
  const now = wallClock(() => Date.now() + wallAheadMs);
  const pluginRuns = createMemoryPluginRuns(pluginState);
  const store = createMemoryRunStore(() => Date.now() + storeAheadMs, pluginRuns);
  for (const id of connectors) store.bind(id, 1);
  const versions = [config];
  let state: ConnectorChange = {
    v: 1,
    connector_id: labConnector,
    organization_id: '22222222-2222-4222-8222-222222222222',
    revision: 1,
    deleted: false,
    name: 'lab',
    status: 'active',
    default_store_id: null,
    organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} },
    ordering: 'record',
    width: 1,
    keys: [],
    active_version: 1,
    binding: { credential_id: 'cred', portal_id: labPortal, epoch: 1 },
  };
  let secondBinding: ConnectorChange['binding'] = null;
  const stateOf = (id: string): ConnectorChange =>
    ({ ...state, connector_id: id, ...(id === secondConnector && secondBinding && { binding: secondBinding }) });
  const configs = new LabReader({ connectors, stateOf, versions, credentials });
  const rest = createRestClient({ allowPrivateTargets: true });
  const runners: Runner[] = [];
  const writeCaps = createMemoryWriteCaps({
    now: () => Date.now() + storeAheadMs,
    waits: (id) => store.held().some(({ connectorId, reason }) => connectorId === id && reason === 'write_cap'),
    changed: (_, to) => {
      const status = to === 'tripped' ? 'paused' : to === 'released' ? 'active' : state.status;
      void lab.change({ write_cap: to, status });
    },
  });
  const sim = async (method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { authorization: `Bearer sim-access-${labPortal}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return response.status === 204 ? null : response.json();
  };
  const publish = (): Promise<unknown> =>
    bus.publish(connectorChanges.name, 0, [{ key: labConnector, value: Buffer.from(JSON.stringify(state)) }]);
  await publish();

  const partitionOf = (event: LabEvent | undefined): number => {
    const record = event ? laneOf(event).slice((event.connector ?? labConnector).length + 1) : '';
    return lanePartition(labConnector, record, event?.width ?? 1, labPartitions);
  };
  const lab: RunnerLab = {
    store,
    simulator,
    url,
    runners,
    sim,
    rows: () => store.rows(),
    send: async (events) => {
      const messages = events.map((event) => {
        const value = envelopeOf(event, state);
        return { key: value.lane, value: encodeEnvelope(value) };
      });
      // On a busy machine thousands of messages may not be sent in time: what was refused was not sent, and is sent again.
      for (let tries = 1; ; tries += 1) {
        const result = await bus.publish(eventsInbound.name, partitionOf(events[0]), messages);
        if (result.ok) return;
        if (result.outcome !== 'refused' || tries === 10) throw new Error(result.message);
      }
    },
    change: async (change) => {
      state = { ...state, ...change, revision: state.revision + 1 };
      if (change.binding) store.bind(labConnector, change.binding.epoch);
      await publish();
    },
    publish: (next) => lab.change({ active_version: versions.push(next) }),
    addPortal: async () => {
      const made = (await sim('POST', '/_sim/portals', {})) as { portal_id: number; access_token: string };
      const portalId = String(made.portal_id);
      configs.addPortal({ portalId, accessToken: made.access_token });
      return portalId;
    },
    rebind: (portalId) => lab.change({ binding: { ...bindingTo(portalId), epoch: (state.binding?.epoch ?? 0) + 1 } }),
    bindSecond: (portalId) => { secondBinding = { ...bindingTo(portalId), epoch: 1 }; },
    passStoreTime: (ms) => { storeAheadMs += ms; },
    passRunnerTime: (ms) => { idledMs += ms; },
    setWallClock: (aheadMs) => { wallAheadMs = aheadMs; },
    writeCaps,
    cap: async (limit) => {
      writeCaps.arm(labConnector, limit);
      await lab.change({ write_cap: 'armed' });
    },
    loseTokenReads: (count) => configs.loseTokenReads(count),
    loseTail: (count) => {
      const events = log.topics.get(eventsInbound.name)!.partitions[lanePartition(labConnector, '', 1, labPartitions)]!;
      events.splice(events.length - count);
    },
    joins: () => joins,
    endSubscriptions: (error) => fails.splice(0).forEach((fail) => fail(error)),
    uncommitted: async () =>
      (await bus.lag(eventsInbound.name, 'flow-runner')).reduce((sum, { committed, end }) => sum + end - committed, 0n),
    reads: () => supervisors.every((supervisor) => supervisor.ready().ok),
    addRunner: async (more = {}) => {
      const metrics = createMetrics({ service: 'flow-runner' });
      const monotonicNow = monotonicClock(() => steady() + idledMs);
      const waits = { waitsMs: readingWaitsMs, deadAfterMs: 300_000, monotonicNow, sleep: (ms: number) => sleep(ms) };
      const supervisor = new ReadingSupervisor({ ...waits, logger: silentLogger, metrics });
      supervisors.push(supervisor);
      const runner = createRunner(
        {
          bus: countingBus,
          store,
          breakers: store.breakers,
          imports: { stopOf },
          writeCaps,
          reader: configs,
          kv: deadKeyValue(),
          blobs,
          crm,
          crmFiles: crm,
          downloads,
          rest,
          ...{ functions, pluginRuns },
          logger: silentLogger,
          ...{ metrics, supervisor, monotonicNow, now },
          crmCallers: () => 1,
          counts: { add: () => undefined },
          storeTime: createStoreTime({ steady, wall: now }),
          sleep: (ms) => sleep(ms),
        },
        {
          ...defaultOptions,
          owner: `lab-${runners.length}`,
          takeOver: false,
          topics: [eventsInbound.name],
          group: 'flow-runner',
          policy: { attempts: 5, waitsMs: [100, 200, 300, 400], ceilingMs: 1_000, ttlMs: 1_209_600_000 },
          breakers: { waitsMs: [100], healthyResetMs: 1_000 },
          searchLagMs: 2_000,
          lateWriteMs: 0,
          commitEveryMs: 20,
          heldLookMs: 20,
          ...options,
          ...more,
        },
      );
      await runner.start();
      runners.push(runner);
      return runner;
    },
    records: async (objectType, portalId = labPortal) =>
      ((await sim('GET', `/_sim/records?portal_id=${portalId}&object_type=${objectType}`)) as { items: SimRecord[] }).items,
    stop: async () => {
      for (const runner of runners) await runner.stop();
      await bus.close();
      await rest.close();
      await closeCrm();
    },
  };
  return lab;
}
