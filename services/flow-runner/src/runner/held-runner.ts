import type { KeyLanes } from '@sluice/key-lanes';
import type { Logger, PartitionLease, RunStore } from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';
import { drainScope, type DrainStep } from '../held/held-drain';
import { holdsOthers, type HeldScope, type HeldScopes } from '../held/held-scopes';
import type { Unit } from '../units/unit';
import { connectorScope, laneScope } from '../units/verdict';
import { applyPlan } from '../units/plan-unit';
import { createFailureWaits } from './failure-waits';
import { planOf, type IntakeDeps } from './partition-intake';
import type { PartitionHolder } from './partition-holder';
import type { UnitProcessor } from './unit-processor';

export interface HeldRunnerDeps extends Pick<IntakeDeps, 'directory' | 'configs'> {
  topic: string;
  heldStore: Pick<RunStore, 'heldRows'>;
  scopes: HeldScopes;
  holder: PartitionHolder;
  lanes: KeyLanes<Unit>;
  processor: UnitProcessor;
  logger: Logger;
  now(): number;
  sleep(ms: number): Promise<void>;
  stopping(): boolean;
  /** Told whenever an event of the held store got done. */
  progressed(): void;
  /** Told when the store refused a write because the partition has a newer owner. */
  lost(lease: PartitionLease): void;
  /** Scopes that run at once: so many of connectors, and so many narrower ones. */
  maxDrains: number;
  firstFailureWaitMs: number;
}

/** After a step that stored nothing the scope is tried again this much later. */
const againMs = 500;

/** Runs what waits in held scopes once it is due (DESIGN 2.9). */
export interface HeldRunner {
  /** Starts the scopes that are due, as many as may run at once. */
  look(): void;
  /** Scopes that run now. */
  running(): number;
}

export function createHeldRunner(deps: HeldRunnerDeps): HeldRunner {
  const { topic, holder, scopes, processor } = deps;
  const failures = createFailureWaits<HeldScope>(deps.firstFailureWaitMs);
  /** Narrow scopes may wait for their connector's, never the other way round: each kind has places of its own. */
  const drains = { wide: new Set<Promise<void>>(), narrow: new Set<Promise<void>>() };
  const placesOf = (scope: HeldScope): Set<Promise<void>> => (scope.scope === connectorScope(scope.connectorId) ? drains.wide : drains.narrow);

  const mayRun = (scope: HeldScope): boolean => {
    if (deps.stopping() || scope.topic !== topic) return false;
    const entry = holder.get(scope.partition);
    if (!entry || entry.revoked || scopes.get(topic, scope.partition, scope.scope) !== scope) return false;
    const connector = deps.directory.get(scope.connectorId);
    return !connector || connector.deleted || (connector.status === 'active' && connector.organization.state === 'active');
  };

  const runHeld = async (unit: Unit, scope: HeldScope): Promise<DrainStep> => {
    if (!unit.planned?.convoy) applyPlan(unit, await planOf(deps, unit));
    if (!mayRun(scope)) return { stop: true, heldLeft: null };
    const hindrance = processor.hindrance(unit, unit.flowName, scope);
    holder.count(scope.partition, 1);
    try {
      const processed = hindrance ? await processor.hold(unit, hindrance, scope) : await processor.attempt(unit, scope);
      if (processed.kind === 'refused') deps.lost(unit.lease);
      if (processed.kind !== 'settled') {
        scope.dueAt = deps.now() + againMs;
        return { stop: true, heldLeft: null };
      }
      deps.progressed();
      return { stop: processed.scope === scope, heldLeft: processed.heldLeft };
    } finally {
      holder.count(scope.partition, -1);
    }
  };

  /**
   * Nothing older of the unit's lane is still to come: neither from the log, nor from what waits for the whole connector, whose
   * drain hands such events over to the narrower scope.
   */
  const isClearBefore = (unit: Unit, scope: HeldScope): boolean => {
    const wider = scopes.get(topic, scope.partition, connectorScope(scope.connectorId));
    if (wider && wider !== scope && wider.headOffset < unit.offset) return false;
    return deps.lanes.isClearBefore(unit.lease.partition, unit.envelope.lane, unit.offset);
  };

  /**
   * Of one convoy some may wait in their lane's scope and some in their flow's. Under another version they may touch the same
   * records, so that the older ones go first. The lane's scope never waits for the flow's: its events run, or join it.
   */
  const yields = (unit: Unit, scope: HeldScope): boolean => {
    const lane = scope.scope.startsWith('flow:') ? scopes.get(topic, scope.partition, laneScope(unit.envelope.lane)) : undefined;
    if (!lane || lane.headOffset >= unit.offset) return false;
    scope.dueAt = deps.now() + againMs;
    return true;
  };

  const drain = async (scope: HeldScope): Promise<void> => {
    const lease = await holder.get(scope.partition)?.ready;
    if (!lease || !mayRun(scope)) return;
    await deps.directory.ensure(scope.connectorId, 0);
    await drainScope({
      heldRows: (partition, name, limit, after) => deps.heldStore.heldRows(topic, partition, name, limit, after),
      isClearBefore: (unit) => isClearBefore(unit, scope), yields: (unit) => yields(unit, scope),
      runHeld, mayGoOn: mayRun, sleep: deps.sleep,
      plan: (unit) => planOf(deps, unit),
      liveIfEmpty: (held, left) => scopes.liveIfEmpty(held, left),
    }, scope, lease);
  };

  const start = (scope: HeldScope): void => {
    scope.draining = true;
    const work = drain(scope)
      .then(() => failures.over(scope), (error: unknown) => {
        const away = error instanceof StoreUnavailable;
        if (!away) deps.logger.error('held scope failed unexpectedly', { topic, scope: holdsOthers(scope.scope) ? scope.scope : 'event', error });
        scope.dueAt = deps.now() + (away ? 2 * againMs : failures.next(scope));
      })
      .finally(() => {
        scope.draining = false;
        placesOf(scope).delete(work);
      });
    placesOf(scope).add(work);
  };
  return {
    look: () => {
      for (const scope of scopes.due(deps.now(), mayRun)) {
        if (placesOf(scope).size < deps.maxDrains) start(scope);
      }
    },
    running: () => drains.wide.size + drains.narrow.size,
  };
}
