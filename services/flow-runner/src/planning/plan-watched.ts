import type { CrashWatch } from '../crash-watch/crash-watch';
import type { Unit, UnitPlan } from '../units/unit';
import { loadPlan, type LoadPlanDeps } from './load-plan';

export interface PlanDeps extends LoadPlanDeps {
  crashWatch: Pick<CrashWatch, 'prepare'>;
}

/** Plans one unit under the crash watch. A unit that has crashed its runners is not planned: it is quarantined. */
export const planWatched = (deps: PlanDeps, unit: Unit): Promise<UnitPlan | null> =>
  deps.crashWatch.prepare(unit, { attempt: () => loadPlan(deps, unit), quarantine: () => Promise.resolve(null) });
