import { type HeldConnectorState, type HeldScopeState, type ScopeId, type ScopeText, scopeText } from '@sluice/ports';
import { HeldConnector } from './held-connector';
import { type HeldScope, openScope, type OpenedScope } from './held-scope';

/**
 * The held scopes of one partition during one ownership, as far as they are in memory (ADR 0033): some scopes of each connector,
 * and always the scope of the whole connector.
 */
export class PartitionScopes {
  readonly connectors = new Map<string, HeldConnector>();
  private readonly scopes = new Map<ScopeText, HeldScope>();
  /** For each query under way to the store: the scopes that left memory since. Its answer may be out of date for them. */
  private readonly questions = new Set<Set<ScopeText>>();
  /** How many drains have events of a lane in hand. */
  private readonly lanesInHand = new Map<string, number>();

  /** @param isStopped whether a flow may not run now: its scopes in the store may have been written under another state */
  constructor(
    readonly topic: string, readonly partition: number, readonly epoch: bigint,
    private readonly isStopped: (connectorId: string, flowName: string) => boolean = () => false,
  ) {}

  get size(): number { return this.scopes.size; }

  /** The connectors with held scopes that the store listed when the partition was taken. */
  open(connectors: readonly HeldConnectorState[]): void {
    for (const { connectorId, wide, narrow } of connectors) {
      if (wide) this.put(openScope(wide));
      if (narrow) this.connector(connectorId).outsideDueAt = narrow.dueAt ?? 0;
    }
  }

  get(scope: ScopeId): HeldScope | undefined {
    return this.scopes.get(scopeText(scope));
  }

  /** A scope that an event is about to join. It is new, or in memory, because all scopes of a lane in hand are in memory. */
  add(opened: OpenedScope): HeldScope {
    const known = this.get(opened.scope);
    if (!known) return this.put(openScope(opened));
    if (opened.headOffset < known.headOffset) known.headOffset = opened.headOffset;
    if (known.lowestJoined === null || opened.headOffset < known.lowestJoined) known.lowestJoined = opened.headOffset;
    if (opened.dueAt === null) return known;
    const connector = this.connector(known.connectorId);
    if (!known.draining) connector.stopWaiting(known);
    Object.assign(known, { dueAt: opened.dueAt, reason: opened.reason });
    if (!known.draining) connector.wait(known);
    return known;
  }

  /** The scope is empty. */
  remove(scope: HeldScope): boolean {
    return this.get(scope.scope) === scope && this.forget(scope);
  }

  /** From now on the scope is only in the store. */
  leave(scope: HeldScope): void {
    if (this.get(scope.scope) !== scope) return;
    this.connector(scope.connectorId).left(scope);
    this.forget(scope);
  }

  began(scope: HeldScope): void {
    this.connectors.get(scope.connectorId)?.stopWaiting(scope);
    scope.draining = true;
  }

  ended(scope: HeldScope): void {
    scope.draining = false;
    if (this.get(scope.scope) === scope) this.connector(scope.connectorId).wait(scope);
  }

  /** Whether scopes of the connector may be only in the store. */
  hasMore(connectorId: string): boolean {
    return (this.connectors.get(connectorId)?.outsideDueAt ?? Infinity) < Infinity;
  }

  /** The answers of the store for scopes that are not in memory and were not in memory meanwhile. */
  async ask(question: () => Promise<HeldScopeState[]>): Promise<{ all: HeldScopeState[]; unknown: HeldScopeState[] }> {
    const left = new Set<ScopeText>();
    this.questions.add(left);
    try {
      const all = await question();
      const isUnknown = (text: ScopeText): boolean => !this.scopes.has(text) && !left.has(text);
      return { all, unknown: all.filter(({ scope }) => isUnknown(scopeText(scope))) };
    } finally {
      this.questions.delete(left);
    }
  }

  /** Adds scopes to memory. */
  load(scopes: readonly HeldScopeState[]): void {
    for (const scope of scopes) if (!this.get(scope.scope)) this.put(openScope({ ...scope, dueAt: this.dueAtOf(scope) }));
  }

  /** The scopes of a flow that wait for its breaker are due at once: it has closed, or one of their events may try. */
  wake(connectorId: string, flowName: string): void {
    for (const scope of this.scopes.values()) {
      if (scope.connectorId !== connectorId || scope.scope.kind !== 'flow' || scope.scope.flowName !== flowName) continue;
      const connector = this.connector(connectorId);
      if (!scope.draining) connector.stopWaiting(scope);
      Object.assign(scope, { notBefore: 0, ...(scope.reason === 'breaker_open' && { dueAt: null }) });
      if (!scope.draining) connector.wait(scope);
    }
  }

  /** Marks the lanes as in hand until the returned function is called: their scopes stay in memory. */
  keepLanes(lanes: ReadonlySet<string>): () => void {
    const count = (by: 1 | -1): void => {
      for (const lane of lanes) {
        const left = (this.lanesInHand.get(lane) ?? 0) + by;
        if (left > 0) this.lanesInHand.set(lane, left);
        else this.lanesInHand.delete(lane);
      }
    };
    count(1);
    return () => count(-1);
  }

  keepsLane(lane: string): boolean {
    return this.lanesInHand.has(lane);
  }

  /** Moves the connector behind all others; a connector without scopes is dropped. */
  putLast(connector: HeldConnector): void {
    this.connectors.delete(connector.connectorId);
    if (!connector.isOver()) this.connectors.set(connector.connectorId, connector);
  }

  private dueAtOf({ scope, connectorId, reason, dueAt }: HeldScopeState): number | null {
    const waits = scope.kind === 'flow' && reason === 'breaker_open';
    return waits && !this.isStopped(connectorId, scope.flowName) ? null : dueAt;
  }

  private put(scope: HeldScope): HeldScope {
    this.scopes.set(scopeText(scope.scope), scope);
    const connector = this.connector(scope.connectorId);
    connector.inMemory += 1;
    connector.wait(scope);
    return scope;
  }

  private forget(scope: HeldScope): boolean {
    const text = scopeText(scope.scope);
    for (const left of this.questions) left.add(text);
    const connector = this.connector(scope.connectorId);
    connector.inMemory -= 1;
    connector.stopWaiting(scope);
    if (connector.isOver()) this.connectors.delete(connector.connectorId);
    return this.scopes.delete(text);
  }

  private connector(connectorId: string): HeldConnector {
    let connector = this.connectors.get(connectorId);
    if (!connector) {
      connector = new HeldConnector(this.topic, this.partition, connectorId);
      this.connectors.set(connectorId, connector);
    }
    return connector;
  }
}
