import type { CompiledConfig, CompiledMatch } from '@sluice/config-model';
import type { ConnectorChange, EventEnvelope } from '@sluice/contracts';
import { type FlowEvent, touches } from '@sluice/flow-engine';
import type { Unit, UnitPlan } from './unit';

const none: CompiledMatch = { kind: 'none' };

/**
 * Plans a unit: the flow that it runs and, in a connector-ordered lane, what it touches. Consecutive events of such a lane that
 * touch different records may run together; events that run no flow touch nothing. Lanes of one record are always strictly
 * ordered.
 */
export function planUnit({ envelope }: Unit, connector: ConnectorChange, config: CompiledConfig | null): UnitPlan {
  const match = config?.match(envelope.source_name, envelope.event_type) ?? none;
  const flowName = match.kind === 'none' ? null : match.flow.name;
  const plan = { version: connector.active_version, match: match.kind, flowName };
  const isShared = envelope.lane === envelope.connector_id;
  if (match.kind !== 'flow') return { ...plan, convoy: isShared, touches: { writes: [], reads: [] } };
  if (!isShared || envelope.payload_ref) return { ...plan, convoy: false, touches: null };
  const touched = touches(match.flow, match.flow.contextOf(flowEventOf(envelope, envelope.payload ?? null, connector)));
  return { ...plan, convoy: touched !== null, touches: touched };
}

/** What a unit runs: what it was planned to; one that could not be planned is matched now. */
export function matchOf({ envelope, plan }: Unit, config: CompiledConfig | null): CompiledMatch {
  if (!config) return none;
  if (!plan) return config.match(envelope.source_name, envelope.event_type);
  const flow = plan.flowName === null ? undefined : config.flows.get(plan.flowName);
  return plan.match === 'none' || !flow ? none : { kind: plan.match, flow };
}

/** What a flow sees of an event. */
export const flowEventOf = (
  envelope: EventEnvelope,
  payload: unknown,
  connector: Pick<ConnectorChange, 'default_store_id'>,
): FlowEvent => ({
  payload,
  event_type: envelope.event_type,
  external_id: envelope.external_id,
  timestamp: envelope.timestamp,
  store_id: envelope.store_id ?? connector.default_store_id,
  connector_id: envelope.connector_id,
  source_type: envelope.source_type,
  event_id: envelope.event_id,
});
