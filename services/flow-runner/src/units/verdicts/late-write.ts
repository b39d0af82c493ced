import { laneScope, type RecordRow } from '@sluice/ports';
import type { Unit } from '../unit';
import { holdUnit, narrowScopeOf, type Verdict } from './verdict';

/**
 * Delays the end of a unit while a write of it without an answer may still take effect (ADR 0035), because it would overwrite
 * later events of its lane. Its rows wait in the held store, where its lane joins it. A unit that stepped aside ends at once: its
 * lane has continued.
 */
export function untilLanded(unit: Unit, verdict: Verdict, flowName: string | null, now: number): Verdict {
  if (verdict.kind !== 'rows' || unit.mayLandUntil <= now) return verdict;
  const scope = narrowScopeOf(unit) ?? laneScope(unit.envelope.lane);
  if (scope.kind === 'event') return verdict;
  const { rows } = verdict;
  const attempts = rows[0]?.attempts ?? unit.held?.attempts ?? 0;
  return {
    kind: 'hold',
    held: holdUnit(unit, {
      scope,
      reason: 'late_write',
      dueAt: unit.mayLandUntil,
      attempts,
      ending: rows,
      flowName: flowName ?? unit.held?.flowName ?? null,
    }),
  };
}

/** The rows of a unit that has ended and waits for a late write; null: it has not ended. */
export const endingOf = ({ held }: Unit): RecordRow[] | null => held?.ending ?? null;
