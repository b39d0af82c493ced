import { BuiltValues } from './built-values';
import { WorkBudget } from './work-budget';

/** The values that references of a flow can read. Immutable: a step that adds to `outputs` makes a copy. */
export interface FlowContext {
  payload: unknown;
  event_type: string;
  /** The record id of an `entities` entry, or what the source's `external_id_path` gave. */
  external_id: string | null;
  /** ISO 8601. */
  timestamp: string | null;
  store_id: string | null;
  connector_id: string;
  /** The event and the flow that runs, for notifications; references cannot read them. */
  event_id: string | null;
  flow_name: string | null;
  /** Set by a `transform` step to a schema named `canonical`. */
  canonical: unknown;
  /** Step id to its output; null for a skipped step. */
  outputs: Readonly<Record<string, unknown>>;
  /** Inside per-item work: `$._item`. */
  item?: unknown;
  /** The entity whose record an `entities` entry is; the external id of that record is `external_id`. */
  own_entity: string | null;
  /** How a flow with `freshness_check` sends an event of the CRM's journal; null: it is no such event. */
  outbound: OutboundRules | null;
  /** The remaining work budget of this attempt's expressions; shared by all copies of the context. */
  budget: WorkBudget;
  /** Values computed from the event only; shared by all copies of the context, and kept from the plan to the attempt. */
  built: BuiltValues;
}

/** `narrow`: only what the event changed (`narrow_outbound_projection`). */
export interface OutboundRules {
  narrow: boolean;
}

/** The part of a context that depends on the event only. */
export type EventFacts = Pick<FlowContext, 'payload' | 'event_type' | 'connector_id'> &
  Partial<
    Pick<
      FlowContext,
      'external_id' | 'timestamp' | 'store_id' | 'own_entity' | 'outbound' | 'budget' | 'built' | 'event_id' | 'flow_name'
    >
  >;

/** The context before the first step. */
export function eventContext(facts: EventFacts): FlowContext {
  return {
    payload: facts.payload,
    event_type: facts.event_type,
    external_id: facts.external_id ?? null,
    timestamp: facts.timestamp ?? null,
    store_id: facts.store_id ?? null,
    connector_id: facts.connector_id,
    event_id: facts.event_id ?? null,
    flow_name: facts.flow_name ?? null,
    canonical: null,
    outputs: {},
    item: undefined,
    own_entity: facts.own_entity ?? null,
    outbound: facts.outbound ?? null,
    budget: facts.budget ?? new WorkBudget(),
    built: facts.built ?? new BuiltValues(),
  };
}
