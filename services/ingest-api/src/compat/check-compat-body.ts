import type { IntakeRecord } from '@sluice/event-intake';
import { idText } from '@sluice/flow-engine';
import { epochOrIsoTime } from '@sluice/sources';
import { compatError } from './compat-error';
import { type CompiledIngress, type CompiledRoute, isObject } from '../sources/compiled-ingress';

/** A call as its sender means it. */
export interface CheckedCall {
  eventType: string;
  /** ISO 8601 UTC; null: the accept time. */
  timestamp: string | null;
  records: IntakeRecord[];
}

/**
 * Reads the body of a call. Rejects what the route does not take with the answers of the service that it replaces.
 * @throws HttpError 400, 500
 */
export function checkCompatBody(
  body: unknown, route: CompiledRoute, { maxEntities }: Pick<CompiledIngress, 'maxEntities'>,
): CheckedCall {
  if (!isObject(body)) throw compatError(400, 'Body must be an object');
  const entities = body.entities ?? [];
  if (route.split === 'entities') {
    if (!Array.isArray(entities) || !entities.every(isObject)) throw compatError(400, 'entities must be an array of objects');
    if (entities.length > maxEntities) throw compatError(500, `A maximum of ${maxEntities} messages can be sent`);
  }
  const eventType = route.eventType(body);
  if (eventType === null) throw compatError(400, 'Unknown event');
  const items = route.split === 'none' ? [body] : (entities as Record<string, unknown>[]);
  return { eventType, timestamp: epochOrIsoTime(body.timestamp), records: items.map((item) => recordOf(eventType, item)) };
}

const [longestId, longestKey] = [512, 256];

function recordOf(eventType: string, item: Record<string, unknown>): IntakeRecord {
  const id = idText(item.externalObjectId);
  const externalId = id !== null && id.length <= longestId && !/[\0\p{Cs}]/u.test(id) ? id : null;
  const recordKey = externalId !== null && externalId.length <= longestKey ? externalId : null;
  return { eventType, externalId, entityType: null, recordKey, payload: item };
}
