import { eventsInbound } from '@sluice/contracts';
import {
  type CrmFileClient, type FileDownloads, type FunctionPlatform, type KeyValue, KeyValueUnavailable, type PluginRunStore,
  StoreUnavailable,
} from '@sluice/ports';
import { unusedPort } from '@sluice/ports/testing';
import { parseSettings, readingSettings, ReadingSupervisor } from '@sluice/service-kit';
import { createRunner, type Runner } from '../runner/create-runner';
import { defaultOptions } from '../runner/options-of-settings';
import type { RunnerOptions } from '../runner/runner-deps';
import { type Connected, never } from './connected';
import { crmLateWriteMs, crmTimeoutMs } from './crm/sim-crm-calls';
import { crmSearchLagMs } from './crm/sim-crm-records';
import { createSimBus } from './sim-bus';
import { loudLogger, noMetrics } from './sim-parts';
import { createSimClocks, type SimClocks } from './time/sim-clocks';
import { createSimStores } from './sim-stores';
import type { SimWorld } from './sim-world';

/** One runner as a process that can die, be cut off, freeze, or stop cleanly. */
export interface SimProcess {
  readonly name: string;
  readonly alive: boolean;
  /** Its present fault, for messages. */
  readonly trouble: string;
  start(): Promise<void>;
  /**
   * Dies now and does nothing more. The group notices it after `noticedAfterMs`, and the database at once, unless its machine
   * dies with it.
   */
  kill(noticedAfterMs: number): void;
  /** Somebody sets the wall clock of its machine. */
  setClock(): void;
  /** Neither database nor broker answers for this time; the group gives its partitions to others after `sessionMs`. */
  cut(ms: number, sessionMs: number): void;
  /** The broker gets nothing from it for this time; the database does. */
  deafen(ms: number, sessionMs: number): void;
  /** It gets no answers for this time, like a suspended process; its requests take effect. */
  freeze(ms: number, sessionMs: number): void;
  stop(): Promise<void>;
}

function deadKeyValue(): KeyValue {
  const refuse = (): Promise<never> => Promise.reject(new KeyValueUnavailable('no key-value store in the simulation'));
  return {
    get: refuse, getMany: refuse, set: refuse, setIfAbsent: refuse, delete: refuse, increment: refuse, incrementWithin: refuse,
    slideWindow: refuse, takeTokens: refuse, capTokens: refuse, healthy: () => false, close: () => Promise.resolve(),
  };
}

const { readingWaitsMs: waitsMs, readingDeadAfterMs: deadAfterMs } = parseSettings(readingSettings, {});
const reading = { waitsMs, deadAfterMs };

const runnerOptions = (world: SimWorld, owner: string): RunnerOptions => ({
  ...defaultOptions,
  owner,
  takeOver: false,
  topics: [eventsInbound.name],
  group: 'flow-runner',
  policy: { attempts: 5, waitsMs: [500, 1_000, 2_000, 4_000], ceilingMs: 8_000, ttlMs: 1_000_000_000 },
  breakers: { waitsMs: [1_000, 2_000, 4_000], healthyResetMs: 20_000 },
  ...{ searchLagMs: crmSearchLagMs, crmTimeoutMs, lateWriteMs: crmLateWriteMs },
  ...world.scenario.times,
  ...world.scenario.bounds,
  portalFailingAfterMs: 3_000,
  // Checking less often costs much less, and does not change the order of events.
  ...{ heldLookMs: 400, commitEveryMs: 800, deadLookMs: 1_000 },
});

/** See SimProcess. */
class RunnerProcess implements SimProcess {
  alive = true;
  private cutOff = false;
  private deaf = false;
  private frozen: Promise<void> | null = null;
  /** Others took it for dead and had the group expel it. */
  private expelled = false;
  private died: (error: unknown) => void = () => undefined;
  private readonly group: ReturnType<typeof createSimBus>;
  private readonly runner: Runner;
  private readonly clocks: SimClocks;
  private readonly disconnect: () => void;

  constructor(private readonly world: SimWorld, readonly name: string) {
    const { clock } = world;
    const death = new Promise<never>((_resolve, reject) => { this.died = reject; });
    death.catch(() => undefined);
    const connected: Connected = {
      name,
      alive: () => this.alive,
      cutOff: () => this.cutOff,
      brokerAway: () => this.cutOff || this.deaf,
      slowCalls: world.prng.chance(world.scenario.slowRunners),
      awake: () => this.frozen,
      death,
    };
    const { remote, disconnect, ...stores } = createSimStores(world, connected);
    this.disconnect = disconnect;
    world.expulsions.set(name, () => this.expel());
    this.group = createSimBus(world, connected, remote);
    const logger = loudLogger(world, () => this.alive);
    this.clocks = createSimClocks(clock, world.prng);
    const clocks = { ...this.clocks, sleep: (ms: number) => this.sleep(ms) };
    const noFiles = { crmFiles: unusedPort<CrmFileClient>('crmFiles'), downloads: unusedPort<FileDownloads>('downloads') };
    const noPlugins = { functions: unusedPort<FunctionPlatform>('functions'),
      pluginRuns: unusedPort<PluginRunStore>('pluginRuns') };
    const targets = { crm: world.crm.clientFor(connected), rest: world.shop.clientFor(connected), ...noFiles, ...noPlugins };
    const reads = { ...reading, logger, metrics: noMetrics, monotonicNow: clocks.monotonicNow, sleep: clocks.sleep };
    const supervisor = new ReadingSupervisor(reads);
    const outside = {
      ...targets, bus: this.group.bus, kv: deadKeyValue(), logger, metrics: noMetrics, supervisor, crmCallers: () => 1,
      counts: { add: () => undefined }, imports: { stopOf: () => Promise.resolve(null) },
    };
    this.runner = createRunner({ ...stores, ...outside, ...clocks }, runnerOptions(world, name));
  }

  get trouble(): string {
    return [this.cutOff ? 'cut off' : '', this.deaf ? 'deaf' : '', this.frozen ? 'frozen' : ''].filter(Boolean).join(', ');
  }

  start(): Promise<void> {
    return this.runner.start();
  }

  kill(noticedAfterMs: number): void {
    this.alive = false;
    this.noteTrouble();
    this.died(new StoreUnavailable('the process died'));
    // One of four dies with its machine: nobody ends its session.
    if (noticedAfterMs % 4 > 0) this.disconnect();
    void this.world.clock.sleep(noticedAfterMs).then(() => {
      this.group.leave();
      this.group.close();
    });
  }

  cut(ms: number, sessionMs: number): void {
    if (this.isDisturbed()) return;
    this.cutOff = true;
    this.noteTrouble();
    // In half of the cases the database learns that the connection is broken.
    if (ms % 2 === 0) this.disconnect();
    void this.silent(ms, sessionMs).then(() => {
      this.cutOff = false;
      return this.comeBack(ms, sessionMs);
    });
  }

  deafen(ms: number, sessionMs: number): void {
    if (this.isDisturbed()) return;
    this.deaf = true;
    if (ms % 2 === 0) this.disconnect();
    void this.silent(ms, sessionMs).then(() => {
      this.deaf = false;
      return this.comeBack(ms, sessionMs);
    });
  }

  freeze(ms: number, sessionMs: number): void {
    if (this.isDisturbed()) return;
    this.noteTrouble();
    this.frozen = this.silent(ms, sessionMs).then(() => {
      this.frozen = null;
      void this.comeBack(ms, sessionMs);
    });
  }

  setClock(): void {
    this.clocks.step();
  }

  async stop(): Promise<void> {
    await this.runner.stop();
    this.alive = false;
    this.group.close();
  }

  /** The group expels it; it learns of that when it hears the broker again. */
  private expel(): void {
    this.group.leave();
    this.world.notes.expelled.add(this.name);
    if (!this.alive) return;
    this.expelled = true;
    if (!this.isDisturbed()) void this.comeBack(0, 0);
  }

  private isDisturbed(): boolean {
    return this.cutOff || this.deaf || this.frozen !== null || !this.alive;
  }

  private noteTrouble(): void {
    this.world.notes.troubles.push({ at: this.world.clock.now(), by: this.name });
  }

  private async sleep(ms: number): Promise<void> {
    if (!this.alive) return never();
    await this.world.clock.sleep(ms);
    await this.frozen;
    return this.alive ? undefined : never();
  }

  /** The group gets nothing from the process for this time, and gives its partitions to others after `sessionMs`. */
  private async silent(ms: number, sessionMs: number): Promise<void> {
    const { clock } = this.world;
    const expelled = ms > sessionMs;
    await clock.sleep(Math.min(ms, sessionMs));
    if (!expelled || !this.alive) return;
    this.group.leave();
    await clock.sleep(ms - sessionMs);
  }

  private async comeBack(ms: number, sessionMs: number): Promise<void> {
    if (!this.alive || (ms <= sessionMs && !this.expelled)) return;
    this.expelled = false;
    await this.group.rejoin();
  }
}

export const createSimProcess = (world: SimWorld, name: string): SimProcess => new RunnerProcess(world, name);
