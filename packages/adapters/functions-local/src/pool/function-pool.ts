import type { Logger } from '@sluice/ports';
import { LRUCache } from 'lru-cache';
import { type ChildEnd, GuestChild, type GuestChildOptions, type Loaded, type MakeRequest } from './guest-child';
import { OrganizationBounds, type OrganizationBoundsOptions } from './organization-bounds';
import { OrganizationQueues, type QueueLimits } from './organization-queues';

export interface FunctionPoolOptions extends GuestChildOptions, OrganizationBoundsOptions {
  /** Children at once. A spare one, without an organization, is kept ready beside them. */
  maxChildren: number;
  /** How long an invocation may take. Milliseconds. */
  wallMs: number;
  /** How long an invocation may wait for a child. Milliseconds. */
  waitMs: number;
  /** A child without work for so long is ended. Milliseconds. */
  idleMs: number;
  queue: QueueLimits;
  logger: Logger;
}

/** Work of one function. */
export interface PoolWork {
  organizationId: string;
  /** Names the code: its hash. */
  key: string;
  code(): Promise<string>;
}

export interface PoolInvocation extends PoolWork {
  payload: Buffer;
  request: MakeRequest;
}

/** `busy`: it did not start. `problem`: its module cannot run. */
export type PoolAnswer = ChildEnd | { kind: 'busy' } | { kind: 'problem'; message: string };

interface Waiting {
  organizationId: string;
  bytes: number;
  since: number;
  /** Whether nothing else may be under way in its child. */
  alone: boolean;
  start(child: GuestChild): Promise<void>;
  giveUp(): void;
}

/** Invocations under way in one child: handlers that wait for what they fetch have many, those that compute few. */
const [leastPerChild, maxPerChild] = [2, 16];
/** Milliseconds of work that a child may have in hand: so soon it is there for others. */
const backlogMs = 100;
/** So many under way in a child, and another child of the organization is opened for the next. */
const crowded = 4;
/** A child takes no more invocations after so many, or so long: whatever it has gathered ends with it. */
const [maxServed, maxAgeMs] = [100_000, 3_600_000];
/** An organization keeps a child for so long while others wait for one. */
const turnMs = 1_000;
/** How late a child may be with what it owes before it is ended. */
const graceMs = 2_000;
/** How long a child may take to be ready, on a busy machine. */
const readyMs = 30_000;
const lookEveryMs = 500;
/** The next spare starts so long after an organization was given a child, whose first invocation it would slow down. */
const spareAfterMs = 500;
/** Functions that one child keeps loaded. */
const maxLoaded = 64;
/** How long a function that was under way when its child was ended runs alone. */
const soloMs = 600_000;

/**
 * The child processes of this service: warm, each for one organization until it ends, in fair shares. A child that hangs or
 * breaks the protocol is killed; what else was under way in it is interrupted.
 */
export class FunctionPool {
  private readonly children = new Set<GuestChild>();
  private readonly queues: OrganizationQueues<Waiting>;
  private readonly solo = new LRUCache<string, true>({ max: 10_000, ttl: soloMs });
  private readonly watch: NodeJS.Timeout;
  private readonly bounds: OrganizationBounds;
  private spare: GuestChild | null = null;
  private spareTimer: NodeJS.Timeout | null = null;
  private usedAt = -Infinity;
  private warned = false;
  private closed = false;

  constructor(private readonly options: FunctionPoolOptions) {
    this.queues = new OrganizationQueues(options.queue);
    this.bounds = new OrganizationBounds(options, () => this.dispatch());
    this.watch = setInterval(() => this.look(), lookEveryMs);
    this.watch.unref();
  }

  /** The number of children, those that are being started and the spare one included. */
  get size(): number {
    return this.children.size + (this.spare ? 1 : 0);
  }

  /** Process ids of the children of an organization, for tests. */
  pidsOf(organizationId: string): number[] {
    return [...this.children].flatMap((child) => (child.organizationId === organizationId ? (child.pid ?? []) : []));
  }

  /** Invocations under way in children of an organization, for tests. */
  loadOf(organizationId: string): number {
    return [...this.children].reduce((sum, child) => sum + (child.organizationId === organizationId ? child.load : 0), 0);
  }

  /** Resolves when some child is ready; there must be one. For tests. */
  async firstReady(): Promise<void> {
    const child = [...this.children][0] ?? this.spare;
    await child?.ready;
    if (child) this.tellOfWalls(child);
  }

  /** Evaluates the module of a function. Rejects as `code` does. */
  load({ organizationId, key, code }: PoolWork): Promise<Loaded | { kind: 'busy' }> {
    return this.with<Loaded | { kind: 'busy' }>(organizationId, 0, { kind: 'busy' }, (child) => child.ensure(key, code));
  }

  /** Runs a function. Rejects as `code` does. */
  run(work: PoolInvocation): Promise<PoolAnswer> {
    const { organizationId, key, code, payload, request } = work;
    return this.with<PoolAnswer>(organizationId, payload.length, { kind: 'busy' }, async (child) => {
      const loaded = await child.ensure(key, code);
      if (loaded.kind === 'gone') return { ...loaded, hung: false, alone: false };
      if (loaded.kind === 'problem') return loaded;
      const end = await child.run(key, payload, request);
      if (end.kind === 'gone' && end.hung && !end.alone) this.solo.set(key, true);
      return end;
    }, this.solo.has(key));
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    this.bounds.close();
    if (this.spareTimer) clearTimeout(this.spareTimer);
    for (const waiting of this.queues.remove(() => true)) waiting.giveUp();
    const all = [...this.children, ...(this.spare ? [this.spare] : [])];
    for (const child of all) child.kill('the service stops');
    await Promise.all(all.map(({ gone }) => gone));
  }

  private with<R>(
    organizationId: string, bytes: number, busy: R, work: (child: GuestChild) => Promise<R>, alone = false,
  ): Promise<R> {
    this.bounds.began(organizationId);
    return this.queued(organizationId, bytes, busy, work, alone).finally(() => this.bounds.ended(organizationId));
  }

  private queued<R>(
    organizationId: string, bytes: number, busy: R, work: (child: GuestChild) => Promise<R>, alone: boolean,
  ): Promise<R> {
    return new Promise((resolve, reject) => {
      const start = async (child: GuestChild): Promise<void> => {
        try {
          resolve(await work(child));
        } catch (error) {
          reject(error);
        }
      };
      const waiting = { organizationId, bytes, alone, since: performance.now(), start, giveUp: () => resolve(busy) };
      if (this.closed || !this.queues.push(waiting)) return resolve(busy);
      this.usedAt = performance.now();
      this.dispatch();
    });
  }

  /** Gives what waits to children, the organizations in turns. */
  private dispatch(): void {
    for (let progress = true; progress; ) {
      progress = false;
      for (const organizationId of this.queues.organizations()) {
        if (this.bounds.mustWait(organizationId)) continue;
        const child = this.childFor(organizationId, this.queues.peek(organizationId)?.alone ?? false);
        const next = child && this.queues.take(organizationId);
        if (!child || !next) continue;
        progress = true;
        child.exclusive = next.alone;
        void this.occupy(child, next);
      }
    }
  }

  private async occupy(child: GuestChild, waiting: Waiting): Promise<void> {
    child.claims += 1;
    try {
      await child.ready;
      this.tellOfWalls(child);
      await waiting.start(child);
    } finally {
      child.claims -= 1;
      child.exclusive = false;
      this.afterWork(child);
    }
  }

  private afterWork(child: GuestChild): void {
    const isOld = child.served >= maxServed || performance.now() - child.assignedAt > maxAgeMs;
    if (isOld || this.mustMakeRoom(child)) child.retiring = true;
    if (child.retiring && child.claims === 0) child.kill('its turn is over');
    for (const key of child.keys.slice(0, -maxLoaded)) child.drop(key);
    this.dispatch();
  }

  /** Whether another organization waits without a child, and this one had its turn or has another child. */
  private mustMakeRoom(child: GuestChild): boolean {
    if (this.children.size < this.options.maxChildren) return false;
    const served = new Set([...this.children].filter(({ retiring }) => !retiring).map(({ organizationId }) => organizationId));
    if (!this.queues.organizations().some((organizationId) => !served.has(organizationId))) return false;
    const others = this.of(child.organizationId).length;
    return others > 1 || performance.now() - child.assignedAt > turnMs;
  }

  private of(organizationId: string | null): GuestChild[] {
    return [...this.children].filter((child) => child.organizationId === organizationId && !child.retiring && !child.isGone);
  }

  /** A child that may take one more invocation of the organization; null: there is none now. */
  private childFor(organizationId: string, alone: boolean): GuestChild | null {
    const places = this.bounds.placesOf(organizationId);
    const all = this.of(organizationId);
    if (this.bounds.goesOneByOne(organizationId, all)) return null;
    const own = all.slice(0, places);
    const [least] = own.filter(({ exclusive }) => !exclusive).sort((one, other) => one.claims - other.claims);
    const usable = least && least.claims < (alone ? 1 : roomOf(least)) ? least : null;
    if (usable && (usable.claims < crowded || own.length >= places)) return usable;
    if (own.length >= places) return null;
    if (this.children.size < this.options.maxChildren || this.endIdle()) return this.assign(organizationId);
    return usable;
  }

  /** Ends the child that was used longest ago, if one has no work. */
  private endIdle(): boolean {
    const [idle] = [...this.children].filter(({ claims }) => claims === 0).sort((one, other) => one.heardAt - other.heardAt);
    if (!idle) return false;
    idle.kill('another organization needs its place');
    this.children.delete(idle);
    return true;
  }

  private assign(organizationId: string): GuestChild {
    const { spare } = this;
    const child = spare && !spare.isGone ? spare : this.open();
    this.spare = null;
    child.organizationId = organizationId;
    child.assignedAt = child.heardAt = performance.now();
    this.children.add(child);
    this.bounds.assigned(child);
    void child.gone.then(() => {
      this.children.delete(child);
      if (!this.closed) this.dispatch();
    });
    this.spareTimer ??= setTimeout(() => this.openSpare(), spareAfterMs).unref();
    return child;
  }

  private open(): GuestChild {
    const child = new GuestChild(this.options, (from, bytes) => this.bounds.moved(from, bytes));
    const late = setTimeout(() => child.kill(`it was not ready within ${readyMs} ms`), readyMs);
    late.unref();
    void child.ready.then(() => clearTimeout(late));
    return child;
  }

  /** The next organization finds a child that is ready, and warm. */
  private openSpare(): void {
    this.spareTimer = null;
    if (this.closed || this.spare) return;
    const spare = this.open();
    this.spare = spare;
    void spare.ready.then(() => (this.spare === spare ? spare.warmUp() : undefined));
    void spare.gone.then(() => (this.spare === spare ? (this.spare = null) : undefined));
  }

  /** Ends what hangs, what has no work, and what has waited too long. */
  private look(): void {
    const now = performance.now();
    const { wallMs, waitMs, idleMs } = this.options;
    for (const child of this.children) {
      const oldest = child.oldestSentAt;
      if (oldest !== null && now - child.heardAt > wallMs + graceMs) child.kill('it did not answer in time', true);
      else if (oldest !== null && now - oldest > 3 * wallMs + graceMs) child.kill('an invocation in it did not end', true);
      else if (child.claims === 0 && now - child.heardAt > idleMs) child.kill('it had no work');
    }
    this.bounds.look(this.children);
    if (this.spare && now - this.usedAt > idleMs) this.spare.kill('it had no work');
    for (const late of this.queues.remove(({ since }) => now - since > waitMs)) late.giveUp();
    this.dispatch();
  }

  private tellOfWalls({ missingWalls }: GuestChild): void {
    if (this.warned || missingWalls.length === 0) return;
    this.warned = true;
    this.options.logger.warn('plugins run without all protections of the operating system', { missing: missingWalls });
  }
}

function roomOf({ busyMs }: GuestChild): number {
  if (busyMs === null) return crowded;
  return Math.max(leastPerChild, Math.min(maxPerChild, Math.floor(backlogMs / Math.max(busyMs, 1))));
}
