import type { Unit, UnitPlan } from '../units/unit';
import type { IntakeDeps } from '../intake/partition-intake';
import { loadPlan } from './load-plan';

export type PlanDeps = Pick<IntakeDeps, 'directory' | 'configs' | 'logger' | 'crashWatch'>;

/** Plans one unit under the crash watch. A unit that has crashed its runners is not planned: it is quarantined. */
export const planWatched = (deps: PlanDeps, unit: Unit): Promise<UnitPlan | null> =>
  deps.crashWatch.prepare(unit, { attempt: () => loadPlan(deps, unit), quarantine: () => Promise.resolve(null) });
