import type { ConnectorDirectory } from '@sluice/connector-feed';
import { type ConfigReader, type Logger, StoreUnavailable } from '@sluice/ports';
import { failpointOfEvent } from '@sluice/service-kit';
import { type CompiledConfigs, versionRef } from '../connectors/compiled-configs';
import { planUnit } from '../units/plan-unit';
import type { Unit, UnitPlan } from '../units/unit';

export interface LoadPlanDeps {
  directory: ConnectorDirectory;
  configs: CompiledConfigs;
  logger: Logger;
}

interface UnmatchedCheckDeps {
  directory: ConnectorDirectory;
  reader: Pick<ConfigReader, 'revision'>;
}

/**
 * The plan of a unit under its connector's newest config. A runner that knows an older revision than the envelope loads first.
 * null: what cannot be planned runs alone. One broken event or config must not keep a partition, and its attempt says what is
 * wrong.
 */
export async function loadPlan(deps: LoadPlanDeps, unit: Unit): Promise<UnitPlan | null> {
  const plan = planFromMemory(deps, unit);
  return plan === undefined ? loadAndPlan(deps, unit) : plan;
}

/** As `loadPlan`, without reading anything; undefined: its connector or its config has to be loaded. */
export function planFromMemory(deps: LoadPlanDeps, unit: Unit): UnitPlan | null | undefined {
  failpointOfEvent('plan_of', unit.envelope.event_type);
  const connector = deps.directory.atLeast(unit.envelope.connector_id, unit.envelope.revision);
  if (!connector) return undefined;
  const version = connector.active_version;
  try {
    const config = version === null ? null : deps.configs.peek(versionRef(connector, version));
    return config === undefined ? undefined : planUnit(unit, connector, config);
  } catch (error) {
    return unplannable(deps, unit, error);
  }
}

/** The rest of `loadPlan`. */
export async function loadAndPlan(deps: LoadPlanDeps, unit: Unit): Promise<UnitPlan | null> {
  try {
    const connector = await deps.directory.ensure(unit.envelope.connector_id, unit.envelope.revision);
    if (!connector) return null;
    const version = connector.active_version;
    return planUnit(unit, connector, version === null ? null : await deps.configs.load(versionRef(connector, version)));
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return unplannable(deps, unit, error);
  }
}

/**
 * Whether a unit without a flow was planned under a version that is not the active one of the store. A version that was published
 * shortly before the event was sent may have a flow for it. The store is asked once for each connector, for the units of one
 * fetch: they were all accepted before.
 */
export function createUnmatchedCheck({ directory, reader }: UnmatchedCheckDeps): (unit: Unit) => Promise<boolean> {
  const asked = new Set<string>();
  return async ({ envelope: { connector_id: id }, plan }) => {
    if (plan === null || plan.match === 'flow') return false;
    if (!asked.has(id)) {
      asked.add(id);
      await directory.ensure(id, (await reader.revision(id)) ?? 0);
    }
    const connector = directory.get(id);
    return connector !== undefined && connector.active_version !== plan.version;
  };
}

function unplannable({ logger }: LoadPlanDeps, { key, envelope }: Unit, error: unknown): null {
  logger.error('event could not be planned', { event_id: key.eventId, connector_id: envelope.connector_id, error });
  return null;
}
