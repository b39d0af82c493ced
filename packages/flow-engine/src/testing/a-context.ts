import { eventContext, type FlowContext } from '../flow-context';

/** A context for tests. */
export function aContext(payload: unknown, more: Partial<FlowContext> = {}): FlowContext {
  return {
    ...eventContext({ payload, event_type: 'order.created', connector_id: 'con_1', timestamp: '2026-03-01T10:00:00.000Z' }),
    ...more,
  };
}
