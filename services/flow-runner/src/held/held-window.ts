import type { HeldScopeState, Logger, PartitionRef, RunStore, StoreClock } from '@sluice/ports';
import type { Unit } from '../units/unit';
import type { PartitionScopes } from './partition-scopes';
import type { HeldConnector } from './held-connector';
import { type HeldScope, isWide } from './held-scope';
import type { HeldScopes } from './held-scopes';

export interface HeldWindowDeps {
  topic: string;
  heldStore: Pick<RunStore, 'heldScopesDue' | 'heldScopesOfLanes'>;
  scopes: HeldScopes;
  /** Whether the partition has fetched and unfinished events of this lane. */
  isLaneUnfinished(partition: number, lane: string): boolean;
  logger: Logger;
  storeNow: StoreClock;
  sleep(ms: number): Promise<void>;
  /** Scopes in memory, of all partitions; above it a connector has `fewest`. */
  maxHeldScopes: number;
  /** Scopes of one connector and partition that wait in memory. */
  maxHeldScopesPerConnector: number;
}

/** Waiting scopes of a connector that stay in memory when there is no room for more, so that it still makes progress. */
const fewest = 4;
/** Connectors whose next scopes are read in one statement. */
const maxAsked = 64;
/** How long after an unexpected failure the store is queried again. */
const againMs = 1_000;

/**
 * Keeps a bounded number of held scopes in memory (ADR 0033): those of each connector that are due next, and those of lanes whose
 * events are in hand. The others are only in the store, which is queried by due time and by lane.
 */
export class HeldWindow {
  private asking = false;
  /** The connector at which the last query ended: connectors take turns. */
  private turn = 0;

  constructor(private readonly deps: HeldWindowDeps) {}

  /** Loads all scopes of the units' lanes into memory. To be called once their lanes are in hand. */
  async know({ topic, partition }: PartitionRef, units: readonly Unit[]): Promise<void> {
    const partitionScopes = this.deps.scopes.partitionScopes({ topic, partition });
    if (!partitionScopes) return;
    const lanes = new Set<string>();
    for (const { envelope } of units) if (partitionScopes.hasMore(envelope.connector_id)) lanes.add(envelope.lane);
    await this.load(partitionScopes, [...lanes]);
  }

  /** Loads all scopes of lanes of a connector into memory. */
  async bring(ref: PartitionRef, connectorId: string, lanes: readonly string[]): Promise<void> {
    const partitionScopes = this.deps.scopes.partitionScopes(ref);
    if (partitionScopes?.hasMore(connectorId)) await this.load(partitionScopes, lanes);
  }

  private async load(partitionScopes: PartitionScopes, lanes: readonly string[]): Promise<void> {
    if (lanes.length === 0) return;
    const { unknown } = await partitionScopes.ask(() => this.deps.heldStore.heldScopesOfLanes(partitionScopes, lanes));
    partitionScopes.load(unknown);
  }

  /** As `know`, for held units that run: their lanes are in hand until the returned function is called. */
  async keep(ref: PartitionRef, units: readonly Unit[]): Promise<() => void> {
    const release =
      this.deps.scopes.partitionScopes(ref)?.keepLanes(new Set(units.map(({ envelope }) => envelope.lane))) ?? (() => undefined);
    try {
      await this.know(ref, units);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Drops the scopes above the bounds from memory, those of each connector that are due last. */
  trim(): void {
    const { scopes, topic, maxHeldScopes, maxHeldScopesPerConnector } = this.deps;
    let above = scopes.size() - maxHeldScopes;
    for (const partitionScopes of scopes.allPartitionScopes(topic)) {
      for (const connector of partitionScopes.connectors.values()) {
        const { length } = connector.waiting;
        const most = Math.max(length - maxHeldScopesPerConnector, Math.min(above, length - fewest));
        if (most > 0) above -= this.leave(partitionScopes, connector, most);
      }
    }
  }

  /**
   * Loads scopes of connectors that have fewer in memory than they may. One query at a time.
   * @returns whether any was loaded
   */
  async refill(mayRun: (connector: HeldConnector) => boolean): Promise<boolean> {
    if (this.asking) return false;
    const next = this.nextBook(mayRun);
    if (!next) return false;
    this.asking = true;
    try {
      return await this.ask(next.partitionScopes, next.connectors);
    } catch (error) {
      this.deps.logger.warn('due held scopes could not be read', {
        topic: this.deps.topic,
        partition: next.partitionScopes.partition,
        error,
      });
      await this.deps.sleep(againMs);
      return false;
    } finally {
      this.asking = false;
    }
  }

  /** Scopes of each of so many connectors that there is room for. */
  private room(connectors: number): number {
    const { scopes, maxHeldScopes, maxHeldScopesPerConnector } = this.deps;
    return Math.max(fewest, Math.min(maxHeldScopesPerConnector, Math.floor((maxHeldScopes - scopes.size()) / connectors)));
  }

  private nextBook(mayRun: (connector: HeldConnector) => boolean): {
    partitionScopes: PartitionScopes; connectors: HeldConnector[] } | null {
    const allPartitionScopes = this.deps.scopes.allPartitionScopes(this.deps.topic);
    const room = this.room(1);
    for (let n = 0; n < allPartitionScopes.length; n += 1) {
      this.turn = (this.turn + 1) % allPartitionScopes.length;
      const partitionScopes = allPartitionScopes[this.turn]!;
      const connectors: HeldConnector[] = [];
      for (const connector of partitionScopes.connectors.values()) {
        if (this.isWanted(connector, room) && mayRun(connector)) connectors.push(connector);
        if (connectors.length === maxAsked) break;
      }
      if (connectors.length > 0) return { partitionScopes, connectors };
    }
    return null;
  }

  /** Whether to load more scopes of a connector: some of those in the store are due, or none waits in memory. */
  private isWanted(connector: HeldConnector, room: number): boolean {
    const { outsideDueAt, loading, waiting } = connector;
    const now = this.deps.storeNow();
    if (outsideDueAt === Infinity || loading || waiting.length >= 2 * this.deps.maxHeldScopesPerConnector) return false;
    return waiting.length === 0 || (outsideDueAt <= now && connector.ready(now, room).length * 2 <= room);
  }

  private async ask(partitionScopes: PartitionScopes, connectors: readonly HeldConnector[]): Promise<boolean> {
    const [room, now] = [this.room(connectors.length), this.deps.storeNow()];
    // The first rows may be scopes that are already in memory: the limit is raised by their number, so that enough others are
    // read.
    const asked = connectors.map((connector) => ({
      connector,
      connectorId: connector.connectorId,
      limit: room + connector.inMemory,
    }));
    for (const connector of connectors) Object.assign(connector, { loading: true, leftDueAt: Infinity });
    try {
      const { all, unknown } = await partitionScopes.ask(() =>
        this.deps.heldStore.heldScopesDue(
          partitionScopes,
          asked.map(({ connectorId, limit }) => ({ connectorId, limit })),
        ),
      );
      const [answered, fresh] = [byConnector(all), byConnector(unknown)];
      for (const { connector, connectorId, limit } of asked)
        fill(
          partitionScopes,
          connector,
          Math.max(1, room - connector.ready(now, room).length),
          limit,
          answered.get(connectorId) ?? [],
          fresh.get(connectorId) ?? [],
        );
      return unknown.length > 0;
    } finally {
      for (const connector of connectors) {
        connector.loading = false;
        // Its next turn comes after those of the others.
        partitionScopes.putLast(connector);
      }
    }
  }

  private leave(partitionScopes: PartitionScopes, connector: HeldConnector, most: number): number {
    const now = this.deps.storeNow();
    const leaving: HeldScope[] = [];
    for (let at = connector.waiting.length - 1; at >= 0 && leaving.length < most; at -= 1) {
      const scope = connector.waiting[at]!;
      if (!this.mustStay(partitionScopes, scope, now)) leaving.push(scope);
    }
    for (const scope of leaving) partitionScopes.leave(scope);
    return leaving.length;
  }

  /** A scope that is not written yet would be lost, and all scopes of a lane in hand must be in memory. */
  private mustStay(partitionScopes: PartitionScopes, scope: HeldScope, now: number): boolean {
    if (isWide(scope) || scope.pendingHolds > 0 || scope.notBefore > Math.max(now, scope.dueAt ?? 0)) return true;
    return scope.lane !== null && (partitionScopes.keepsLane(scope.lane)
      || this.deps.isLaneUnfinished(scope.partition, scope.lane));
  }
}

const dueAtOf = (scope: HeldScopeState | undefined): number => (scope ? (scope.dueAt ?? 0) : Infinity);

function byConnector(scopes: readonly HeldScopeState[]): Map<string, HeldScopeState[]> {
  const found = new Map<string, HeldScopeState[]>();
  for (const scope of [...scopes].sort((a, b) => dueAtOf(a) - dueAtOf(b))) {
    const ofConnector = found.get(scope.connectorId);
    if (ofConnector) ofConnector.push(scope);
    else found.set(scope.connectorId, [scope]);
  }
  return found;
}

/**
 * @param free how many scopes may be added: scopes in memory that are due later may be dropped for them
 * @param answered the store's answer for the connector, ordered by due time; `unknown`: those of them that are not in memory
 */
function fill(
  partitionScopes: PartitionScopes,
  connector: HeldConnector,
  free: number,
  limit: number,
  answered: readonly HeldScopeState[],
  unknown: readonly HeldScopeState[],
): void {
  partitionScopes.load(unknown.slice(0, free));
  const next = unknown.length > free ? unknown[free] : undefined;
  const behind = next ?? (answered.length < limit ? undefined : answered.at(-1));
  connector.outsideDueAt = Math.min(dueAtOf(behind), connector.leftDueAt);
}
