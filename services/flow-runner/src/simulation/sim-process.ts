import { eventsInbound } from '@sluice/contracts';
import { KeyValueUnavailable, silentLogger, StoreUnavailable, type ConfigReader, type CrmClient, type EventBus, type KeyValue, type Logger, type PartitionHandlers, type RunStore, type Subscription } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryBus, type MemoryLog } from '@sluice/ports/testing';
import type { Metrics } from '@sluice/service-kit';
import { createRunner, type Runner } from '../runner/create-runner';
import { runnerDefaults } from '../runner/runner-deps';
import { crmSearchLagMs, type SimCrm } from './sim-crm';
import type { Prng } from './prng';
import { createSimDatabase } from './sim-database';
import type { Clock } from './virtual-clock';

export interface SimWorld {
  clock: Clock;
  prng: Prng;
  log: MemoryLog;
  store: RunStore;
  reader: ConfigReader;
  crm: SimCrm;
  /** Judges a commit; throws when it is past unfinished work. */
  committed(partition: number, next: bigint): void;
  /** Chaos still goes on: stores and networks may fail. */
  rough(): boolean;
  failed(error: unknown): void;
}

/** One runner as a process that can die, be cut off, or leave in order. */
export interface SimProcess {
  readonly name: string;
  readonly alive: boolean;
  readonly cutOff: boolean;
  start(): Promise<void>;
  /** Dies now: nothing more of it happens. The group hears of it after `noticedAfterMs`. */
  kill(noticedAfterMs: number): void;
  /** Neither database nor broker answer for so long; the group gives its partitions away after `sessionMs`. */
  cut(ms: number, sessionMs: number): void;
  stop(): Promise<void>;
}

const never = new Promise<never>(() => undefined);
const noMetric = { inc: () => undefined, observe: () => undefined, set: () => undefined };
const noMetrics = { counter: () => noMetric, gauge: () => noMetric, histogram: () => noMetric, forService: () => noMetrics, contentType: '', render: async () => '' } as unknown as Metrics;

function deadKeyValue(): KeyValue {
  const refuse = (): Promise<never> => Promise.reject(new KeyValueUnavailable('no key-value store in the simulation'));
  return {
    get: refuse, getMany: refuse, set: refuse, setIfAbsent: refuse, delete: refuse, increment: refuse, incrementWithin: refuse,
    slideWindow: refuse, takeTokens: refuse, capTokens: refuse, healthy: () => false, close: () => Promise.resolve(),
  };
}

export function createSimProcess(world: SimWorld, name: string): SimProcess {
  const { clock } = world;
  let alive = true;
  let cutOff = false;
  let died: (error: unknown) => void = () => undefined;
  /** Rejects when the process dies: the database rolls back what it had under way, and frees its row locks. */
  const death = new Promise<never>((_resolve, reject) => { died = reject; });
  death.catch(() => undefined);
  let leaveGroup: (() => void) | undefined;
  let rejoin: (() => Promise<void>) | undefined;

  const { remote, store, reader } = createSimDatabase(world, { alive: () => alive, cutOff: () => cutOff, death });
  const inner = createMemoryBus({ log: world.log, now: clock.now });
  const bus: EventBus = {
    ...inner,
    lag: (topic, group) => remote(inner.lag)(topic, group),
    subscribe: async (options) => {
      const owned = new Set<number>();
      let current: Subscription | undefined;
      let member = 0;
      let late: { partition: number; next: bigint }[] = [];
      const join = async (): Promise<void> => {
        const me = (member += 1);
        const mine = (): boolean => alive && me === member;
        const handlers: PartitionHandlers = {
          assigned: (partition) => { if (mine()) { owned.add(partition); options.handlers.assigned(partition); } },
          revoked: (partition) => { if (mine()) { owned.delete(partition); options.handlers.revoked(partition); } },
          messages: (partition, messages) => (mine() ? options.handlers.messages(partition, messages) : never),
        };
        const joined = await inner.subscribe({ ...options, handlers });
        current = joined;
        void joined.failed.then(world.failed);
      };
      leaveGroup = () => {
        member += 1;
        late = [];
        void current?.stop();
      };
      rejoin = async () => {
        late = [];
        if (current) for (const partition of [...owned]) { owned.delete(partition); options.handlers.revoked(partition); }
        await join();
      };
      await join();
      const pass = async (offsets: { partition: number; next: bigint }[]): Promise<void> => {
        for (const { partition, next } of offsets) if (owned.has(partition)) world.committed(partition, next);
        await current?.commit(offsets);
      };
      return {
        failed: never,
        commit: async (offsets) => {
          if (!alive) return never;
          late = [...late.filter((old) => !offsets.some(({ partition }) => partition === old.partition)), ...offsets].filter(({ partition }) => owned.has(partition));
          if (cutOff) return undefined;
          const due = late;
          late = [];
          return pass(due);
        },
        pause: (partition) => current?.pause(partition),
        resume: (partition) => current?.resume(partition),
        silentForMs: () => 0,
        stop: async () => { await current?.stop(); },
      };
    },
  };

  // Whatever the runner calls unexpected is a bug, except that it tries its best while the database is away.
  const loud: Logger = { ...silentLogger, error: (message, fields) => { if (alive && !(fields?.['error'] instanceof StoreUnavailable)) world.failed(fields?.['error'] ?? message); } };
  const crm: CrmClient = world.crm.clientFor(() => alive);
  const runner: Runner = createRunner({
    bus, store, reader, kv: deadKeyValue(), crm, logger: loud,
    blobs: createMemoryBlobStore(),
    metrics: noMetrics, now: clock.now, sleep: (ms) => (alive ? clock.sleep(ms).then(() => (alive ? undefined : never)) : never),
  }, {
    ...runnerDefaults, owner: name, takeOver: false, topics: [eventsInbound.name], group: 'flow-runner',
    policy: { attempts: 5, waitsMs: [500, 1_000, 2_000, 4_000], ceilingMs: 8_000, ttlMs: 1_000_000_000 },
    searchLagMs: crmSearchLagMs, crmTimeoutMs: 3_500, maxBuffered: 20, maxPerConnector: 8, maxConvoy: 6, maxInFlight: 30, maxDrains: 6,
  });

  return {
    name,
    get alive() { return alive; },
    get cutOff() { return cutOff; },
    start: () => runner.start(),
    kill: (noticedAfterMs) => {
      alive = false;
      died(new StoreUnavailable('the process died'));
      void clock.sleep(noticedAfterMs).then(() => { leaveGroup?.(); void inner.close(); });
    },
    cut: (ms, sessionMs) => {
      if (cutOff || !alive) return;
      cutOff = true;
      let expelled = false;
      void clock.sleep(sessionMs).then(() => {
        if (!cutOff || !alive || ms <= sessionMs) return;
        expelled = true;
        leaveGroup?.();
      });
      void clock.sleep(ms).then(async () => {
        cutOff = false;
        if (expelled && alive) await rejoin?.();
      });
    },
    stop: async () => {
      await runner.stop();
      alive = false;
      void inner.close();
    },
  };
}
