import { postDraftFlowDryRun } from '../../dry-run/post-draft-flow-dry-run';
import { getSyncEvent } from '../../records/get-sync-event';
import { getSyncEvents } from '../../records/get-sync-events';
import type { AssistantTool, ToolContext } from './assistant-tool';
import { maskText } from './mask-text';
import { maskValues, maskValuesOf } from './mask-values';

interface TriedStep {
  id: string;
  action: string;
  status: string;
  output: unknown;
  request: unknown;
  reason: string | null;
  error: { code: string; message: string } | null;
}

interface Tried {
  flow: string;
  matched: boolean;
  steps: TriedStep[];
  outcome: string;
  reason: string | null;
}

interface StoredEvent {
  event_type: string;
  external_id: string | null;
  payload: unknown;
}

/** Runs a flow of the draft, with nothing sent. */
export const dryRun: AssistantTool = {
  name: 'dry_run',
  description: 'Runs a flow of the draft over a stored event (`event_id`) or over an example (`event_type` and `payload`); nothing is sent. Values are masked in the answer.',
  parameters: {
    type: 'object',
    required: ['flow'],
    additionalProperties: false,
    properties: {
      flow: { type: 'string', minLength: 1, maxLength: 128 },
      event_id: { type: 'string', minLength: 1, maxLength: 128 },
      event_type: { type: 'string', minLength: 1, maxLength: 256 },
      payload: {},
    },
    oneOf: [{ required: ['event_id'] }, { required: ['event_type', 'payload'] }],
  },
  run: async (context, { flow, event_id: eventId, event_type: eventType, payload }) => {
    const event = eventId === undefined
      ? { event_type: String(eventType), external_id: null, payload }
      : await storedEvent(context, String(eventId));
    if (event === null || event.payload === null)
      return {
        ok: false, error: 'event_not_found', text: 'No record of this event has ended, or its payload is no longer kept.',
      };
    const { deps, api, connectorId } = context;
    const params = { connector_id: connectorId, name: flow };
    const { event_type: type, external_id: externalId } = event;
    const body = { event_type: type, payload: event.payload, ...(externalId === null ? {} : { external_id: externalId }) };
    const tried = (await api.call(postDraftFlowDryRun(deps), { params, body })) as Tried;
    return shown(tried, event);
  },
};

async function storedEvent({ deps, api, connectorId }: ToolContext, eventId: string): Promise<StoredEvent | null> {
  const call = { params: { connector_id: connectorId }, query: { event_id: eventId, limit: 1 } };
  const list = (await api.call(getSyncEvents(deps), call)) as { items: { id: string }[] };
  const [row] = list.items;
  if (!row) return null;
  return (await api.call(getSyncEvent(deps), { params: { connector_id: connectorId, sync_event_id: row.id } })) as StoredEvent;
}

function shown({ flow, matched, steps, outcome, reason }: Tried, event: StoredEvent) {
  const masked = maskValuesOf([event.payload, event.external_id]);
  const words = (text: string | null): string | null => (text === null ? null : maskText(masked(text)));
  return {
    flow, matched, outcome, reason: words(reason),
    steps: steps.map(({ id, action, status, output, request, reason: why, error }) => ({
      id, action, status, reason: words(why), output: maskValues(output), request: maskValues(request),
      error: error && { code: error.code, message: words(error.message) },
    })),
  };
}
