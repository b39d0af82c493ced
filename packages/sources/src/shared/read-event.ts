import { eventBounds, type ValidationEntry } from '@sluice/contracts';
import { compileDocumentPath, type DocumentPath, idText, type WorkBudget } from '@sluice/flow-engine';
import type { SourceEvent } from '../source-event';
import { epochOrIsoTime } from './epoch-or-iso-time';

/** The fields of a config that say how an event is read (`eventFields`). */
export interface EventFields {
  event_type?: string;
  event_type_path?: string;
  external_id_path?: string;
  record_key_path?: string;
  timestamp_path?: string;
}

/** What an event is read from: an element, and behind it the body that it is part of. The first that has a value counts. */
export type Documents = readonly unknown[];

/** What is read of an event. */
export type EventFacts = Omit<SourceEvent, 'payload' | 'dedupe'>;

/**
 * The event of an element; a list of problems when it cannot be one.
 * @param givenType the event's type, where something outside of the documents names it; undefined: nothing does
 */
export type ReadEvent = (
  documents: Documents, budget: WorkBudget, givenType?: string,
) => { event: EventFacts; problems: null } | { event: null; problems: ValidationEntry[] };

/**
 * Compiles how the events of a source are read.
 * @param defaultEventType of events for which the config names no type
 */
export function compileReadEvent(config: EventFields, defaultEventType: string): ReadEvent {
  const typePath = compiled(config.event_type_path);
  const idPath = compiled(config.external_id_path);
  const keyPath = compiled(config.record_key_path);
  const timePath = compiled(config.timestamp_path);
  return (documents, budget, givenType) => {
    const eventType = config.event_type ?? givenType ?? (typePath ? firstValue(typePath, documents, budget) : defaultEventType);
    const externalId = idText(firstValue(idPath, documents, budget));
    const recordKey = keyPath ? idText(firstValue(keyPath, documents, budget)) : externalId;
    const problems: ValidationEntry[] = [];
    const check = (field: string, value: unknown, most: number, path?: string): void => {
      const problem = textProblem(field, value, most, path);
      if (problem !== null) problems.push(problem);
    };
    check('event_type', eventType, eventBounds.eventType, config.event_type_path);
    if (externalId !== null) check('external_id', externalId, eventBounds.externalId);
    if (keyPath && recordKey !== null) check('record_key', recordKey, eventBounds.recordKey);
    if (problems.length > 0) return { event: null, problems };
    const timestamp = epochOrIsoTime(firstValue(timePath, documents, budget));
    return { event: { eventType: String(eventType), externalId, recordKey, timestamp }, problems: null };
  };
}

/** The event, field by field: a spread with more fields costs a hidden class for each event (docs/performance.md). */
export const sourceEvent = (
  { eventType, externalId, recordKey, timestamp }: EventFacts, payload: unknown, dedupe: string | null,
): SourceEvent => ({ eventType, externalId, recordKey, timestamp, payload, dedupe });

const compiled = (path: string | undefined): DocumentPath | null => (path === undefined ? null : compileDocumentPath(path));

/** The first value that is neither missing nor null. */
export function firstValue(path: DocumentPath | null, documents: Documents, budget: WorkBudget): unknown {
  if (path === null) return null;
  for (const document of documents) {
    const found = path.first(document, budget) ?? null;
    if (found !== null) return found;
  }
  return null;
}

/** Text that columns and message keys take: no NUL, no half of a surrogate pair. */
const storable = /^[^\0\p{Cs}]*$/u;

function textProblem(field: string, value: unknown, most: number, path?: string): ValidationEntry | null {
  const entry = (type: string, msg: string): ValidationEntry => ({ type, loc: ['body', field], msg, input: value ?? null });
  if (value === null || value === undefined || value === '')
    return entry('missing', `Field required${path === undefined ? '' : ` at ${path}`}`);
  if (typeof value !== 'string') return entry('string_type', 'Input should be a valid string');
  if (value.length > most) return entry('string_too_long', `String should have at most ${most} characters`);
  return storable.test(value) ? null : entry('value_error', 'Input has characters that cannot be stored');
}
