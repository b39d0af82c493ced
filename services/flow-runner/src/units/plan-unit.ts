import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { touches, type Touches } from '@sluice/flow-engine';
import type { Unit } from './unit';

/** What is known of a unit before it runs. */
export interface UnitPlan {
  /** The connector's config version it is made from; null: nothing was published. Undefined: there is no plan. */
  version?: number | null;
  flowName: string | null;
  /** Whether it may share a batch with its neighbours of a connector-ordered lane, and what it then must not share. */
  convoy: boolean;
  touches: Touches | null;
}

const alone: UnitPlan = { flowName: null, convoy: false, touches: null };

/** Notes on the unit what it was planned to be. */
export function applyPlan(unit: Unit, { version, flowName, convoy }: UnitPlan): void {
  unit.flowName = flowName;
  unit.planned = version === undefined ? null : { version, convoy };
}

/**
 * Plans a unit of a connector-ordered lane: consecutive events that touch different records may run together. Events that run no
 * flow touch nothing. Lanes of one record are always strictly ordered.
 */
export function planUnit(unit: Unit, connector: ConnectorChange, config: CompiledConfig | null): UnitPlan {
  const { envelope } = unit;
  const version = connector.active_version;
  const match = config?.match(envelope.source_name, envelope.event_type);
  if (match?.kind !== 'flow')
    return { version, flowName: null, convoy: envelope.lane === envelope.connector_id, touches: { writes: [], reads: [] } };
  const flowName = match.flow.name;
  if (envelope.lane !== envelope.connector_id || envelope.payload_ref) return { ...alone, version, flowName };
  const ctx = match.flow.contextOf({
    payload: envelope.payload ?? null,
    event_type: envelope.event_type,
    external_id: envelope.external_id,
    timestamp: envelope.timestamp,
    store_id: envelope.store_id ?? connector.default_store_id,
    connector_id: envelope.connector_id,
    source_type: envelope.source_type,
  });
  const touched = touches(match.flow, ctx);
  return { version, flowName, convoy: touched !== null, touches: touched };
}
