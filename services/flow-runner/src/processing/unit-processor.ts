import type { ConnectorDirectory } from '@sluice/connector-feed';
import { type Activity, type PortalAdmission, noEffects, type StoredEffects, type UnitEffects } from '@sluice/crm-writer';
import type { FlowBreakers } from '../admission/flow-breakers';
import type { StartRefusal } from '../admission/start-block';
import type { FlowOutcome, HeldEvent, Logger, Settlement } from '@sluice/ports';
import { sameScope, scopeText, StoreUnavailable } from '@sluice/ports';
import type { ConnectorChange } from '@sluice/contracts';
import { type CompiledConfigs, versionRef } from '../connectors/compiled-configs';
import type { CrashWatch } from '../crash-watch/crash-watch';
import { failpointOfEvent } from '@sluice/service-kit';
import { type HeldScope, isOfLane, waitOn } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';
import type { Attempt, AttemptDeps } from '../units/attempts/attempt';
import { attemptUnit } from '../units/attempts/attempt-unit';
import { flowOutcomeOf } from '../units/verdicts/flow-outcome';
import { afterRebind } from '../units/verdicts/hold-again';
import { endingOf } from '../units/verdicts/late-write';
import { isStale } from '../planning/plan-anew';
import { importRowEnd } from '../units/rows/import-row-end';
import { type EndFacts, flowNameOfEnd, judgeAttempt } from '../units/verdicts/judge-attempt';
import { notRun } from '../units/attempts/not-run';
import type { Settler } from '../units/settler';
import { classOf, flowNameOf, type Unit } from '../units/unit';
import { holdUnit } from '../units/verdicts/verdict';
import { reportVerdict } from './report-verdict';
import type { RunnerMetrics } from '../runner-metrics';

export interface ProcessorDeps extends AttemptDeps {
  activity: Activity;
  directory: ConnectorDirectory;
  configs: CompiledConfigs;
  scopes: HeldScopes;
  settler: Settler;
  crashWatch: Pick<CrashWatch, 'run'>;
  flowBreakers: Pick<FlowBreakers, 'telling'>;
  metrics: RunnerMetrics;
  logger: Logger;
}

/** The result of processing a unit. `again`: nothing was stored, it must be processed again. */
export type Processed =
  | { kind: 'settled'; scope: HeldScope | null; heldLeft: number | null }
  | { kind: 'refused' }
  | { kind: 'again' };

/** Runs units, or moves them to the held store, and stores their outcomes. */
export interface UnitProcessor {
  /** One attempt, with an admission to the unit's portal. */
  attempt(unit: Unit, from: HeldScope | null, admission: PortalAdmission): Promise<Processed>;
  /** Moves the unit to the held store without an attempt. */
  hold(unit: Unit, refusal: StartRefusal, from: HeldScope | null): Promise<Processed>;
  /** Ends a unit from the log that was under way at this number of runner deaths. Its payload need not be read. */
  quarantine(unit: Unit, deaths: number): Promise<Processed>;
}

export function createUnitProcessor(deps: ProcessorDeps): UnitProcessor {
  /** `rebound`: it ran under an older binding of its connector, and nothing was stored. */
  const settle = async (
    unit: Unit,
    verdict: Settlement['verdict'],
    attempted: Pick<Attempt, 'effects' | 'binding'>,
    from: HeldScope | null,
    flowOutcome: FlowOutcome | null = null,
  ): Promise<Processed | { kind: 'rebound' }> => {
    const scope = verdict.kind === 'hold' ? openScope(deps, verdict.held, unit.lease.epoch) : null;
    if (scope) {
      scope.pendingHolds += 1;
      scope.holds += 1;
    }
    try {
      const settled = await deps.settler.settle({
        ...settlementOf(unit, verdict, attempted, from), ...(flowOutcome && { flowOutcome }),
      }, classOf(unit));
      if (settled.rebound) return { kind: 'rebound' };
      if (settled.refused) return { kind: 'refused' };
      if (verdict.kind === 'rows') dropDownloads(deps, attempted.effects.downloads);
      return { kind: 'settled', scope, heldLeft: settled.heldLeft };
    } finally {
      if (scope) scope.pendingHolds -= 1;
    }
  };

  /** Stores a hold, which does not depend on a binding. */
  const settleHold = async (unit: Unit, held: HeldEvent, from: HeldScope | null): Promise<Processed> => {
    const settled = await settle(unit, { kind: 'hold', held }, { effects: noEffects(), binding: null }, from);
    return settled.kind === 'rebound' ? { kind: 'again' } : settled;
  };

  const conclude = async (unit: Unit, from: HeldScope | null, attempted: Attempt | null): Promise<Processed> => {
    const judged = attempted && judgeAttempt(unit, attempted.end, deps.policy, deps.storeNow());
    if (!judged || judged.kind === 'abandon') return { kind: 'again' };
    const verdict = judged.kind === 'hold' ? { ...judged, held: inOnePlace(deps, unit, judged.held) } : judged;
    const flowOutcome = deps.flowBreakers.telling(flowOutcomeOf(unit, attempted.end, verdict));
    if (from && verdict.kind === 'hold' && flowOutcome === null && leavesNothing(unit, verdict.held, attempted.effects)) {
      waitOn(from, verdict.held);
      return { kind: 'settled', scope: from, heldLeft: null };
    }
    reportVerdict(deps, unit, verdict, flowNameOfEnd(unit, attempted.end));
    const settled = await settle(unit, verdict, attempted, from, flowOutcome);
    if (settled.kind !== 'rebound') return settled;
    const ran = attempted.end.kind === 'ran' ? attempted.end.facts : null;
    return settleHold(unit, afterRebind(unit, ran, deps.storeNow()), from);
  };

  const attempt = async (unit: Unit, from: HeldScope | null, admission: PortalAdmission): Promise<Processed> => {
    deps.activity.enter();
    failpointOfEvent('attempt_of', unit.envelope.event_type);
    let attempted: Attempt | null;
    try {
      const { connector_id: id, revision } = unit.envelope;
      const inMemory = deps.directory.atLeast(id, revision);
      const connector = inMemory ?? (await deps.activity.waiting(deps.directory.ensure(id, revision)));
      if (!connector || connector.deleted) attempted = endedWithConnector(unit);
      // Another version became active while the crash watch, or the reading of the connector, waited: it is planned first.
      else if (isStale(deps, unit)) attempted = null;
      else {
        const version = unit.plan ? unit.plan.version : connector.active_version;
        const known = version === null ? null : deps.configs.peek(versionRef(connector, version));
        const config = known ?? (await configOf(deps, connector, version));
        attempted = await attemptUnit(deps, unit, { connector, version, config, admission });
      }
    } catch (error) {
      attempted = error instanceof StoreUnavailable ? null : broken(deps, unit, error);
    } finally {
      deps.activity.leave();
    }
    return conclude(unit, from, attempted);
  };

  return {
    attempt: async (unit, from, admission) => {
      const rows = endingOf(unit);
      if (rows) return conclude(unit, from, { end: { kind: 'waited', rows }, effects: noEffects(), binding: null });
      try {
        // The crash watch covers what is computed, called and stored.
        return await deps.crashWatch.run(unit, {
          attempt: () => attempt(unit, from, admission),
          quarantine: async (deaths) => conclude(unit, from, quarantined(deps, unit, deaths)),
        });
      } catch (error) {
        if (error instanceof StoreUnavailable) return { kind: 'again' };
        throw error;
      }
    },
    hold: (unit, refusal, from) => {
      const held = inOnePlace(deps, unit, holdUnit(unit, refusal));
      deps.metrics.held(refusal.reason);
      deps.logger.debug('event set aside', {
        event_id: unit.key.eventId,
        connector_id: unit.envelope.connector_id,
        scope: scopeText(held.scope),
        reason: refusal.reason,
        from: from && scopeText(from.scope),
      });
      return settleHold(unit, held, from);
    },
    quarantine: async (unit, deaths) => conclude(unit, null, quarantined(deps, unit, deaths)),
  };
}

async function configOf(deps: ProcessorDeps, connector: ConnectorChange,
  version: number | null): ReturnType<CompiledConfigs['load']> {
  return version === null ? null : deps.activity.waiting(deps.configs.load(versionRef(connector, version)));
}

/**
 * A unit from the log that must wait for its connector joins the narrower scope of its lane if there is one: a lane waits in one
 * scope.
 */
function inOnePlace({ scopes }: ProcessorDeps, unit: Unit, held: HeldEvent): HeldEvent {
  if (unit.held || held.scope.kind !== 'connector') return held;
  return { ...held, scope: scopes.narrow(unit, flowNameOf(unit))?.scope ?? held.scope };
}

/** Whether a held event that has to wait again is unchanged: then its row stays as it is, and the wait costs no write. */
function leavesNothing({ held: before }: Unit, held: HeldEvent, effects: Attempt['effects']): boolean {
  return before !== null && sameScope(before.scope, held.scope) && before.attempts === held.attempts
    && before.wrote === held.wrote && before.mayLandUntil === held.mayLandUntil && before.ending === held.ending
    && JSON.stringify(before.keptSteps) === JSON.stringify(held.keptSteps)
    && Object.values(storedOf(effects)).every((effect: unknown[]) => effect.length === 0);
}

/** The effects that are stored. */
function storedOf({ downloads: _downloads, ...stored }: UnitEffects): StoredEffects {
  return stored;
}

/** Deletes downloaded contents of a unit that has ended. What stays is deleted by its age. */
function dropDownloads({ blobs, logger }: ProcessorDeps, downloads: readonly string[]): void {
  for (const key of downloads)
    blobs.delete(key).catch((error: unknown) => logger.debug('downloaded content not deleted', { key, error }));
}

function settlementOf(
  unit: Unit, verdict: Settlement['verdict'], { effects, binding }: Pick<Attempt, 'effects' | 'binding'>, from: HeldScope | null,
): Settlement {
  const settlement: Settlement = {
    lease: unit.lease,
    offset: unit.offset,
    unit: unit.key,
    connectorId: unit.envelope.connector_id,
    verdict,
    ...storedOf(effects),
  };
  const isEnd = verdict.kind === 'rows' || (verdict.kind === 'hold' && verdict.held.ending !== null);
  if (binding !== null && isEnd) settlement.bindingEpoch = binding;
  if (from) settlement.heldScope = from.scope;
  const importRow = verdict.kind === 'rows' ? importRowEnd(unit, verdict.rows) : undefined;
  if (importRow) settlement.importRow = importRow;
  return settlement;
}

/** The scope is known in memory before its first row is written, so that the next events already join it. */
function openScope({ scopes }: ProcessorDeps, held: HeldEvent, epoch: bigint): HeldScope {
  return scopes.add({ ...held, lane: isOfLane(held.scope) ? held.lane : null, headOffset: held.offset }, epoch);
}

/** Runners died each time this unit was under way: another attempt would crash one more. */
function quarantined(deps: ProcessorDeps, unit: Unit, deaths: number): Attempt {
  deps.logger.error('event quarantined: flow runners died while it ran', {
    event_id: unit.key.eventId,
    connector_id: unit.envelope.connector_id,
    deaths,
  });
  return endOf(unit, false, {
    ...factsOf(deps, unit),
    status: 'quarantined',
    error: `${deaths} flow runners ended while this event was under way`,
    errorKind: 'permanent',
    errorCode: 'crashed_runner',
    reason: 'crashed_runner',
  });
}

/** The events of a deleted connector end drained (docs/reference/events.md, Pausing). */
const endedWithConnector = (unit: Unit): Attempt =>
  endOf(unit, false, {
    status: 'dlq',
    flowName: null,
    configVersion: null,
    reason: 'connector_deleted',
    error: 'the connector was deleted before the event could run',
  });

/** An exception outside of steps is a bug of Sluice: the event ends with an outcome instead of being tried for ever. */
function broken(deps: ProcessorDeps, unit: Unit, error: unknown): Attempt {
  deps.logger.error('event failed unexpectedly', { event_id: unit.key.eventId, connector_id: unit.envelope.connector_id, error });
  const cause = error instanceof Error ? error.message : String(error);
  return endOf(unit, true, {
    ...factsOf(deps, unit),
    status: 'failed',
    error: `the event failed unexpectedly: ${cause}`,
    errorKind: 'permanent',
    errorCode: 'bug',
  });
}

/** Of a unit whose connector cannot be asked which portal is bound: what its last attempt wrote counts. */
const endOf = (unit: Unit, counts: boolean, facts: EndFacts): Attempt =>
  notRun(unit, facts, { counts, wrote: unit.held?.wrote ?? false });

const factsOf = ({ directory }: ProcessorDeps, unit: Unit): Pick<EndFacts, 'flowName' | 'configVersion'> => ({
  flowName: flowNameOf(unit),
  configVersion: directory.get(unit.envelope.connector_id)?.active_version ?? null,
});
