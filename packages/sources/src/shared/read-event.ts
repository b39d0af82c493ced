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

/** The event of an element; a list of problems when it cannot be one. */
export type ReadEvent = (
  documents: Documents, budget: WorkBudget, given?: { eventType?: string },
) => { event: Omit<SourceEvent, 'payload' | 'dedupe'>; problems: null } | { event: null; problems: ValidationEntry[] };

/**
 * Compiles how the events of a source are read.
 * @param defaultEventType of events for which the config names no type
 */
export function compileReadEvent(config: EventFields, defaultEventType: string): ReadEvent {
  const paths = {
    event_type_path: compiled(config.event_type_path),
    external_id_path: compiled(config.external_id_path),
    record_key_path: compiled(config.record_key_path),
    timestamp_path: compiled(config.timestamp_path),
  };
  return (documents, budget, given) => {
    const value = (field: keyof typeof paths): unknown => firstValue(paths[field], documents, budget);
    const found = (): unknown => (paths.event_type_path ? value('event_type_path') : defaultEventType);
    const eventType = config.event_type ?? given?.eventType ?? found();
    const externalId = idText(value('external_id_path'));
    const recordKey = paths.record_key_path ? idText(value('record_key_path')) : externalId;
    const problems = [
      ...textProblems('event_type', eventType, eventBounds.eventType, config.event_type_path),
      ...(externalId === null ? [] : textProblems('external_id', externalId, eventBounds.externalId)),
      ...(paths.record_key_path && recordKey !== null ? textProblems('record_key', recordKey, eventBounds.recordKey) : []),
    ];
    if (problems.length > 0) return { event: null, problems };
    return {
      event: { eventType: String(eventType), externalId, recordKey, timestamp: epochOrIsoTime(value('timestamp_path')) },
      problems: null,
    };
  };
}

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

function textProblems(field: string, value: unknown, most: number, path?: string): ValidationEntry[] {
  const entry = (type: string, msg: string): ValidationEntry[] => [{ type, loc: ['body', field], msg, input: value ?? null }];
  if (value === null || value === undefined || value === '')
    return entry('missing', `Field required${path === undefined ? '' : ` at ${path}`}`);
  if (typeof value !== 'string') return entry('string_type', 'Input should be a valid string');
  if (value.length > most) return entry('string_too_long', `String should have at most ${most} characters`);
  return storable.test(value) ? [] : entry('value_error', 'Input has characters that cannot be stored');
}
