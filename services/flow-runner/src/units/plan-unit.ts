import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { touches, type Touches } from '@sluice/flow-engine';
import type { Unit } from './unit';

/** What is known of a unit before it runs. */
export interface UnitPlan {
  flowName: string | null;
  /** Whether it may share a batch with its neighbours of a connector-ordered lane, and what it then must not share. */
  convoy: boolean;
  touches: Touches | null;
}

const alone: UnitPlan = { flowName: null, convoy: false, touches: null };

/**
 * Plans a unit of a connector-ordered lane (DESIGN 2.7): consecutive events that touch different records are
 * simultaneous. Events that run nothing touch nothing. Lanes of one record are strictly ordered anyhow.
 */
export function planUnit(unit: Unit, connector: ConnectorChange, config: CompiledConfig | null): UnitPlan {
  const { envelope } = unit;
  const match = config?.match(envelope.source_name, envelope.event_type);
  if (match?.kind !== 'flow') return { flowName: null, convoy: envelope.lane === envelope.connector_id, touches: { writes: [], reads: [] } };
  const flowName = match.flow.name;
  if (envelope.lane !== envelope.connector_id || envelope.payload_ref) return { ...alone, flowName };
  const ctx = match.flow.contextOf({
    payload: envelope.payload ?? null, event_type: envelope.event_type, external_id: envelope.external_id, timestamp: envelope.timestamp,
    store_id: envelope.store_id ?? connector.default_store_id, connector_id: envelope.connector_id, source_type: envelope.source_type,
  });
  const touched = touches(match.flow, ctx);
  return { flowName, convoy: touched !== null, touches: touched };
}
