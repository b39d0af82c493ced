import { eventsInbound } from '@sluice/contracts';
import { KeyValueUnavailable, silentLogger, StoreUnavailable, type KeyValue, type Logger } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';
import { createRunner, type Runner } from '../runner/create-runner';
import { runnerDefaults } from '../runner/runner-deps';
import type { Connected } from './connected';
import { crmLateWriteMs, crmSearchLagMs } from './sim-crm';
import { CommitLost, createSimBus } from './sim-bus';
import { createSimStores } from './sim-stores';
import type { SimWorld } from './sim-world';

/** One runner as a process that can die, be cut off, freeze, or leave in order. */
export interface SimProcess {
  readonly name: string;
  readonly alive: boolean;
  /** What keeps it from its work, for messages. */
  readonly trouble: string;
  start(): Promise<void>;
  /** Dies now: nothing more of it happens. The group hears of it after `noticedAfterMs`. */
  kill(noticedAfterMs: number): void;
  /** Neither database nor broker answer for so long; the group gives its partitions away after `sessionMs`. */
  cut(ms: number, sessionMs: number): void;
  /** The broker hears nothing of it for so long; the database does. */
  deafen(ms: number, sessionMs: number): void;
  /** Nothing comes back to it for so long, as to a process that the machine has stopped; what it sent goes on. */
  freeze(ms: number, sessionMs: number): void;
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
  let deaf = false;
  let frozen: Promise<void> | null = null;
  let died: (error: unknown) => void = () => undefined;
  const death = new Promise<never>((_resolve, reject) => { died = reject; });
  death.catch(() => undefined);
  const connected: Connected = { name, alive: () => alive, cutOff: () => cutOff, brokerAway: () => cutOff || deaf, awake: () => frozen, death };
  const { remote, ...stores } = createSimStores(world, connected);
  const group = createSimBus(world, connected, remote);

  // Whatever the runner calls unexpected is a bug, except that it tries its best while the database or the broker is away.
  const expected = (error: unknown): boolean => error instanceof StoreUnavailable || error instanceof CommitLost;
  const loud: Logger = { ...silentLogger, error: (message, fields) => { if (alive && !expected(fields?.['error'])) world.failed(fields?.['error'] ?? message); } };
  const runner: Runner = createRunner({
    ...stores, bus: group.bus, kv: deadKeyValue(), crm: world.crm.clientFor(connected), logger: loud, metrics: noMetrics, now: clock.now, monotonicNow: clock.now,
    sleep: async (ms) => {
      if (!alive) return never;
      await clock.sleep(ms);
      await frozen;
      return alive ? undefined : never;
    },
  }, {
    ...runnerDefaults, owner: name, takeOver: false, topics: [eventsInbound.name], group: 'flow-runner',
    policy: { attempts: 5, waitsMs: [500, 1_000, 2_000, 4_000], ceilingMs: 8_000, ttlMs: 1_000_000_000 },
    searchLagMs: crmSearchLagMs, crmTimeoutMs: 3_500, lateWriteMs: crmLateWriteMs, ...world.scenario.memory, maxConvoy: 6, maxInFlight: 30, maxDrains: 6, crashDeaths: 1_000, maxLaneDrains: 6,
    maxHeldScopes: 5, maxHeldScopesPerConnector: 2,
    portalFailingAfterMs: 3_000,
    // Looking less often costs much less, and leaves the order of things as it is.
    heldLookMs: 250, commitEveryMs: 500,
  });

  /** For so long the group hears nothing of the process, and gives its partitions away after `sessionMs`. */
  const silent = async (ms: number, sessionMs: number): Promise<void> => {
    const expelled = ms > sessionMs;
    await clock.sleep(Math.min(ms, sessionMs));
    if (!expelled || !alive) return;
    group.leave();
    await clock.sleep(ms - sessionMs);
  };
  const comeBack = async (ms: number, sessionMs: number): Promise<void> => { if (ms > sessionMs && alive) await group.rejoin(); };

  return {
    name,
    get alive() { return alive; },
    get trouble() { return [cutOff ? 'cut off' : '', deaf ? 'deaf' : '', frozen ? 'frozen' : ''].filter(Boolean).join(', '); },
    start: () => runner.start(),
    kill: (noticedAfterMs) => {
      alive = false;
      world.notes.troubles.push({ at: clock.now(), by: name });
      died(new StoreUnavailable('the process died'));
      void clock.sleep(noticedAfterMs).then(() => { group.leave(); group.close(); });
    },
    cut: (ms, sessionMs) => {
      if (cutOff || deaf || frozen || !alive) return;
      cutOff = true;
      world.notes.troubles.push({ at: clock.now(), by: name });
      void silent(ms, sessionMs).then(() => {
        cutOff = false;
        return comeBack(ms, sessionMs);
      });
    },
    deafen: (ms, sessionMs) => {
      if (cutOff || deaf || frozen || !alive) return;
      deaf = true;
      void silent(ms, sessionMs).then(() => {
        deaf = false;
        return comeBack(ms, sessionMs);
      });
    },
    freeze: (ms, sessionMs) => {
      if (cutOff || deaf || frozen || !alive) return;
      world.notes.troubles.push({ at: clock.now(), by: name });
      frozen = silent(ms, sessionMs).then(() => {
        frozen = null;
        void comeBack(ms, sessionMs);
      });
    },
    stop: async () => {
      await runner.stop();
      alive = false;
      group.close();
    },
  };
}
