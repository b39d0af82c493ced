import type { ConnectorDirectory } from '@sluice/connector-feed';
import { StoreUnavailable } from '@sluice/ports';
import type { Unit } from '../units/unit';
import { type PlanDeps, planWatched } from './plan-watched';

/**
 * Whether another version became active since the unit was planned: it may match another flow now, and wait with other events. A
 * unit in a convoy keeps its plan and its version, because other units of the convoy may have started.
 */
export function isStale({ directory }: { directory: Pick<ConnectorDirectory, 'get'> }, { plan, envelope }: Unit): boolean {
  const connector = directory.get(envelope.connector_id);
  return connector !== undefined && plan !== null && !plan.convoy && plan.version !== connector.active_version;
}

/** Plans the unit under the version that is active now. `again`: the database is away. */
export async function planAnew(deps: PlanDeps, unit: Unit): Promise<{ kind: 'planned' | 'again' }> {
  try {
    unit.plan = await planWatched(deps, unit);
    return { kind: 'planned' };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { kind: 'again' };
  }
}
