import type { Source } from '@sluice/contracts';
import type { TargetRun } from '@sluice/rest-targets';
import type { AttemptDeps } from './attempt';
import type { Unit } from '../unit';

/** Notes that a write may still take effect: the unit's lane waits for it. */
export function noteUnanswered(deps: Pick<AttemptDeps, 'storeNow' | 'lateWriteMs'>, unit: Unit, sentMsAgo: number): void {
  unit.mayLandUntil = Math.max(unit.mayLandUntil, deps.storeNow() - sentMsAgo + deps.lateWriteMs);
}

/** The facts of a run that its destinations need. */
export function targetRun(deps: AttemptDeps, unit: Unit, flowName: string, sources: readonly Source[]): TargetRun {
  return {
    organizationId: unit.envelope.organization_id,
    connectorId: unit.envelope.connector_id,
    unitKey: unit.keyText,
    flowName,
    sources,
    unanswered: (sentMsAgo) => noteUnanswered(deps, unit, sentMsAgo),
    owned: () => deps.owns(unit),
  };
}
