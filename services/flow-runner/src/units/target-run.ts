import type { Source } from '@sluice/contracts';
import { unitKeyText } from '@sluice/ports';
import type { TargetRun } from '@sluice/rest-targets';
import type { AttemptDeps } from './attempt-unit';
import type { Unit } from './unit';

/** A write that was sent so long ago may still land: its lane waits for it. */
export function noteUnanswered(deps: Pick<AttemptDeps, 'now' | 'lateWriteMs'>, unit: Unit, sentMsAgo: number): void {
  unit.mayLandUntil = Math.max(unit.mayLandUntil, deps.now() - sentMsAgo + deps.lateWriteMs);
}

/** A run of a flow, as its destinations need to know it. */
export function targetRun(deps: AttemptDeps, unit: Unit, flowName: string, sources: readonly Source[]): TargetRun {
  return {
    organizationId: unit.envelope.organization_id,
    connectorId: unit.envelope.connector_id,
    unitKey: unitKeyText(unit.key),
    flowName,
    sources,
    unanswered: (sentMsAgo) => noteUnanswered(deps, unit, sentMsAgo),
    owned: () => deps.owns(unit),
  };
}
