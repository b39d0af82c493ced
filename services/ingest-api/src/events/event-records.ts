import { entityEventType } from '@sluice/contracts';
import type { IntakeRecord } from '@sluice/event-intake';
import type { EventRequest } from './check-event';

/** The records of a request: one of `data`, or one for each entry of `entities`. `entities` read no record key. */
export function recordsOf({ event, data, entities, recordKey }: EventRequest): IntakeRecord[] {
  if (!entities) return [{ eventType: event, externalId: null, entityType: null, recordKey, payload: data }];
  return entities.map(({ type, externalObjectId, properties }) => (
    { eventType: entityEventType(type), externalId: externalObjectId, entityType: type, recordKey: null, payload: properties }
  ));
}

/** The event types under which a request's records reach flows, each once. */
export function eventTypesOf({ event, entities }: EventRequest): string[] {
  return entities ? [...new Set(entities.map(({ type }) => entityEventType(type)))] : [event];
}
