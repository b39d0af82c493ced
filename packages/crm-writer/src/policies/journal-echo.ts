import type { PropertyValue } from '@sluice/ports';
import { type Fingerprint, type Fingerprints, holdsTold, isEcho, isOwnDeletion } from '../state/fingerprints';
import { objectTypeName } from '../shared/object-type';
import type { WriteCauses } from '../state/write-causes';

/** An event of the CRM's journal. */
export interface JournalEventRef {
  connectorId: string;
  eventId: string;
  eventType: string;
  /** As journal-poller makes it: `{event, object: {id, type, properties}, changed}`. */
  payload: unknown;
  /** Properties of which the journal tells the connector at least. An empty list: all. */
  watched: readonly string[];
}

interface JournalPayload {
  event?: { propertyChanges?: Record<string, unknown> } | null;
  object?: { id?: unknown; type?: unknown } | null;
}

/** Properties that the CRM sets itself with every write. */
const setByTheCrm = /^(?:hs_|createdate$|lastmodifieddate$|notes_last_updated$|num_)/;

/** What an event of the journal says of its record. null: it is no such event. */
interface RecordChange {
  objectType: string;
  crmId: string;
  /** Values after the change; null: the record was deleted. */
  values: Readonly<Record<string, PropertyValue>> | null;
}

function changeOf({ eventType, payload }: Pick<JournalEventRef, 'eventType' | 'payload'>): RecordChange | null {
  const { event: entry, object } = (payload ?? {}) as JournalPayload;
  const { id: crmId, type } = object ?? {};
  if (typeof crmId !== 'string' || typeof type !== 'string') return null;
  const values = (entry?.propertyChanges ?? {}) as Record<string, PropertyValue>;
  return { objectType: objectTypeName(type), crmId, values: eventType.endsWith('.delete') ? null : values };
}

/**
 * Whether a change in the journal is what a flow with `suppress_echo` has written: of an update, that every value that changed
 * was written; of a new record, that it has every value that was written and that the journal tells; of a deletion, that a flow
 * made it. Best effort: false where nothing is remembered.
 */
export async function isJournalEcho(fingerprints: Fingerprints, event: JournalEventRef): Promise<boolean> {
  const change = changeOf(event);
  if (change === null) return false;
  const { connectorId, eventId, eventType, watched } = event;
  const { crmId, objectType } = change;
  const written = await fingerprints.latest({ kind: 'written', connectorId, objectType, crmId });
  if (change.values === null) return isOwnDeletion(written, eventId);
  const values = Object.fromEntries(Object.entries(change.values).filter(([name]) => !setByTheCrm.test(name)));
  return eventType.endsWith('.create') ? isCreated(written, eventId, values, watched) : isEcho(written, eventId, values);
}

/**
 * Links of the chain of causes that led to an event of the journal, in its portal. 0: it is a change that Sluice did not make.
 */
export async function hopsOfJournal(causes: WriteCauses, portalId: string, event: JournalEventRef): Promise<number> {
  const change = changeOf(event);
  if (change === null) return 0;
  const { crmId, objectType, values } = change;
  return causes.hopsOf({ portalId, objectType, crmId }, event.eventId, values);
}

const isCreated = (
  written: Fingerprint | null, eventId: string, values: Readonly<Record<string, PropertyValue>>, watched: readonly string[],
): boolean => written !== null && written.eventId !== eventId && holdsTold(written, values, watched);
