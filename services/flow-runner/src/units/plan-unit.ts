import type { CompiledConfig, CompiledMatch } from '@sluice/config-model';
import type { ConnectorChange, EventEnvelope } from '@sluice/contracts';
import { BuiltValues, type FlowEvent, touches } from '@sluice/flow-engine';
import type { Unit, UnitPlan } from './unit';

const none: CompiledMatch = { kind: 'none' };

/**
 * Plans a unit: the flow that it runs and, in a connector-ordered lane, what it touches. Neighbours in such a lane that touch
 * different records may run together; events without a flow touch nothing. Lanes of one record are always strictly ordered.
 */
export function planUnit({ envelope }: Unit, connector: ConnectorChange, config: CompiledConfig | null): UnitPlan {
  const match = config?.match(envelope.source_name, envelope.event_type) ?? none;
  const flowName = match.kind === 'none' ? null : match.flow.name;
  const sourceName = config?.sourceName(envelope.source_name, flowName) ?? envelope.source_name;
  const plan = (convoy: boolean, touched: UnitPlan['touches'], built?: UnitPlan['built']): UnitPlan =>
    ({ version: connector.active_version, match: match.kind, flowName, sourceName, convoy, touches: touched, built });
  const isShared = envelope.lane === envelope.connector_id;
  if (match.kind !== 'flow') return plan(isShared, { writes: [], reads: [] });
  if (!isShared || envelope.payload_ref) return plan(false, null);
  const values = new BuiltValues();
  const touched = touches(match.flow, match.flow.contextOf(flowEventOf(envelope, envelope.payload ?? null, connector, values)));
  return plan(touched !== null, touched, { storeId: storeOf(envelope, connector), values });
}

/** The event for the flow's run, with the values that its plan has already computed. */
export function plannedEvent({ envelope, plan }: Unit, payload: unknown, connector: ConnectorChange): FlowEvent {
  const built = plan?.built;
  // The connector may have another default store now.
  const values = built && built.storeId === storeOf(envelope, connector) ? built.values : new BuiltValues();
  return flowEventOf(envelope, payload, connector, values);
}

/** The flow that a unit runs: that of its plan; a unit that could not be planned is matched now. */
export function matchOf({ envelope, plan }: Unit, config: CompiledConfig | null): CompiledMatch {
  if (!config) return none;
  if (!plan) return config.match(envelope.source_name, envelope.event_type);
  const flow = plan.flowName === null ? undefined : config.flows.get(plan.flowName);
  return plan.match === 'none' || !flow ? none : { kind: plan.match, flow };
}

const storeOf = (envelope: EventEnvelope, connector: Pick<ConnectorChange, 'default_store_id'>): string | null =>
  envelope.store_id ?? connector.default_store_id;

/** The event for a flow. */
const flowEventOf = (envelope: EventEnvelope, payload: unknown, connector: ConnectorChange, built: BuiltValues): FlowEvent => ({
  payload,
  built,
  event_type: envelope.event_type,
  external_id: envelope.external_id,
  timestamp: envelope.timestamp,
  store_id: storeOf(envelope, connector),
  connector_id: envelope.connector_id,
  source_type: envelope.source_type,
  event_id: envelope.event_id,
});
