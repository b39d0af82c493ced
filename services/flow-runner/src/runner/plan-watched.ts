import type { Unit } from '../units/unit';
import type { UnitPlan } from '../units/plan-unit';
import { type IntakeDeps, noPlan, planOf } from './partition-intake';

export type PlanDeps = Pick<IntakeDeps, 'directory' | 'configs' | 'logger' | 'crashWatch'>;

/** Plans one unit under the crash watch. One that has ended its runners is not planned: instead of its attempt it ends. */
export const planWatched = (deps: PlanDeps, unit: Unit): Promise<UnitPlan> =>
  deps.crashWatch.prepare(unit, { attempt: () => planOf(deps, unit), quarantine: () => Promise.resolve(noPlan) });
