import type { ConfigDocument, Flow } from '@sluice/contracts';
import type { EventIndex } from '@sluice/ports';

/** Limits of the reads of the event index: a day has enough payloads, and large ones take long to read. */
const bounds = { ageMs: 7 * 86_400_000, limit: 100, bytes: 65_536 };

/** Recent payloads (JSON) of the events that the flows of an entity take; of all events when no flow names it. */
export async function entityPayloads(
  eventIndex: Pick<EventIndex, 'recentPayloads'>,
  connectorId: string,
  { flows }: ConfigDocument,
  entity: string,
): Promise<string[]> {
  const since = new Date(Date.now() - bounds.ageMs).toISOString();
  const recent = await eventIndex.recentPayloads(connectorId, { since, limit: bounds.limit, bytes: bounds.bytes });
  const own = flows.filter(({ steps }) => steps.some((step) => step.entity === entity));
  const taken = recent.filter(({ eventType }) => own.length === 0 || own.some((flow) => takes(flow, eventType)));
  return taken.map(({ payloadText }) => payloadText);
}

function takes({ event_type: pattern }: Flow, eventType: string): boolean {
  return pattern.endsWith('.*') ? eventType.startsWith(pattern.slice(0, -1)) : eventType === pattern;
}
