import type { HeldConnectorState, HeldEvent, HeldScopeState, RunStore } from '../../run-store/run-store';
import type { PartitionRef } from '../../run-store/partition-ref';
import { type ScopeId, scopeText } from '../../run-store/scope-id';

type HeldScopeReads = Pick<RunStore, 'heldConnectors' | 'heldScopesDue' | 'heldScopesOfLanes'>;

const isWide = ({ scope }: HeldScopeState): boolean => scope.kind === 'connector';
const ofLane = ({ kind }: ScopeId): boolean => kind === 'lane' || kind === 'flow';
/** Scopes without a due time first: they only wait for a state. */
const byDueTime = (a: HeldScopeState, b: HeldScopeState): number => (a.dueAt ?? -Infinity) - (b.dueAt ?? -Infinity) || 0;

/** The scopes of a partition's held events, each as its first event in log order says. */
function scopesOf(held: Iterable<HeldEvent>, ref: PartitionRef): HeldScopeState[] {
  const scopes = new Map<string, HeldScopeState>();
  for (const { topic, partition, scope, connectorId, lane, reason, dueAt, offset } of held) {
    if (topic !== ref.topic || partition !== ref.partition) continue;
    const text = scopeText(scope);
    const known = scopes.get(text);
    const count = (known?.count ?? 0) + 1;
    if (known && known.headOffset <= offset) known.count = count;
    else
      scopes.set(text, {
        topic,
        partition,
        scope,
        connectorId,
        lane: ofLane(scope) ? lane : null,
        reason,
        dueAt,
        headOffset: offset,
        count,
      });
  }
  return [...scopes.values()];
}

/** Reads of held scopes over the events of a store in memory. */
export function memoryHeldScopes(held: ReadonlyMap<string, HeldEvent>): {
  [name in keyof HeldScopeReads]: (...input: Parameters<HeldScopeReads[name]>) => Awaited<ReturnType<HeldScopeReads[name]>>;
} {
  return {
    heldConnectors: (ref, limit, after) => {
      const connectors = new Map<string, HeldConnectorState>();
      for (const scope of scopesOf(held.values(), ref).sort(byDueTime)) {
        const { connectorId, dueAt } = scope;
        const state = connectors.get(connectorId) ?? { connectorId, wide: null, narrow: null };
        if (isWide(scope)) state.wide = scope;
        else state.narrow ??= { dueAt };
        connectors.set(connectorId, state);
      }
      return [...connectors.values()]
        .filter(({ connectorId }) => after === undefined || connectorId > after)
        .sort((a, b) => (a.connectorId < b.connectorId ? -1 : 1))
        .slice(0, limit);
    },
    heldScopesDue: (ref, asked) => {
      const scopes = scopesOf(held.values(), ref).sort(byDueTime);
      return asked.flatMap(({ connectorId, limit }) =>
        scopes.filter((scope) => scope.connectorId === connectorId).slice(0, limit),
      );
    },
    heldScopesOfLanes: (ref, lanes) => {
      const wanted = new Set(lanes);
      return scopesOf(held.values(), ref).filter(({ lane }) => lane !== null && wanted.has(lane));
    },
  };
}
