import type { PropertyValue } from '@sluice/ports';
import { type Fingerprint, type Fingerprints, holdsAll, isEcho } from '../state/fingerprints';
import { objectTypeName } from '../shared/object-type';

/** An event of the CRM's journal. */
export interface JournalEventRef {
  connectorId: string;
  eventId: string;
  eventType: string;
  /** As journal-poller makes it: `{event, object: {id, type, properties}, changed}`. */
  payload: unknown;
}

interface JournalPayload {
  event?: { propertyChanges?: Record<string, unknown> } | null;
  object?: { id?: unknown; type?: unknown } | null;
}

/** Properties that the CRM sets itself with every write. */
const setByTheCrm = /^(?:hs_|createdate$|lastmodifieddate$|notes_last_updated$|num_)/;

/**
 * Whether a change in the journal is what a flow with `suppress_echo` has written: of an update, that every value that changed
 * was written; of a new record, that it has every value that was written. Best effort: false where nothing is remembered.
 */
export async function isJournalEcho(fingerprints: Fingerprints, event: JournalEventRef): Promise<boolean> {
  const { event: entry, object } = (event.payload ?? {}) as JournalPayload;
  const { id: crmId, type: objectType } = object ?? {};
  if (typeof crmId !== 'string' || typeof objectType !== 'string' || event.eventType.endsWith('.delete')) return false;
  const changes = Object.entries(entry?.propertyChanges ?? {}).filter(([name]) => !setByTheCrm.test(name));
  const values = Object.fromEntries(changes) as Record<string, PropertyValue>;
  const { connectorId, eventId, eventType } = event;
  const written = await fingerprints.latest({ kind: 'written', connectorId, objectType: objectTypeName(objectType), crmId });
  return eventType.endsWith('.create') ? isCreated(written, eventId, values) : isEcho(written, eventId, values);
}

const isCreated = (
  written: Fingerprint | null, eventId: string, values: Readonly<Record<string, PropertyValue>>,
): boolean => written !== null && written.eventId !== eventId && holdsAll(written, values);
