import { ingestRoutes, utcTime, type ValidationEntry } from '@sluice/contracts';
import { HttpError, schemaCompilers, validationEntries, validationEntry } from '@sluice/service-kit';

export interface EntityItem {
  type: string;
  externalObjectId: string;
  properties: Record<string, unknown>;
}

/** An event as its sender means it. Exactly one of `data` and `entities` is set. */
export interface EventRequest {
  event: string;
  data: Record<string, unknown> | null;
  entities: EntityItem[] | null;
  /** ISO 8601 UTC. */
  timestamp: string | null;
  storeId: string | null;
  recordKey: string | null;
  idempotencyKey: string | null;
}

/** The headers that belong to an event. */
export type EventHeaders = Readonly<Record<string, string | string[] | undefined>>;

type Body = Record<string, unknown>;

const { maxEntities } = ingestRoutes;
const checkBody = schemaCompilers.json(ingestRoutes.acceptEvent.body);
const maxStoreId = 128;
const maxIdempotencyKey = 255;
/** Only so many keys of one object of the envelope are checked: a body with many unknown keys would cost seconds. */
const maxKeys = 20;
/** Problems listed in one answer at most. */
const maxProblems = 100;

/**
 * Reads a request against its contract and the rules a schema cannot say.
 * @param body the parsed JSON; undefined when none was sent
 * @throws HttpError 422 with every problem, up to a hundred
 */
export function checkEvent(body: unknown, headers: EventHeaders): EventRequest {
  const bounded = boundedBody(body);
  const problems = checkBody(bounded) ? [] : validationEntries(checkBody.errors, 'body', bounded);
  if (body === undefined) problems.splice(0, problems.length, validationEntry('body', [], 'missing', 'A body is required', null));
  const timestamp = isObject(body) && typeof body.timestamp === 'string' ? utcTime(body.timestamp) : undefined;
  bodyRules(body, timestamp, problems);
  headerRules(headers, problems);
  if (problems.length > 0) throw new HttpError(422, problems.slice(0, maxProblems));
  const { event, data, entities, storeId, recordKey } = body as Partial<EventRequest> & { event: string };
  return {
    event,
    data: data ?? null,
    entities: entities ?? null,
    timestamp: timestamp ?? null,
    storeId: storeId || headerText(headers['x-store-id']) || null,
    recordKey: recordKey || null,
    idempotencyKey: headerText(headers['idempotency-key']) ?? null,
  };
}

/** @param timestamp as read, null: not a time, undefined: none given */
function bodyRules(body: unknown, timestamp: string | null | undefined, found: ValidationEntry[]): void {
  if (!isObject(body)) return;
  const given = (name: string): boolean => body[name] !== undefined && body[name] !== null;
  if (given('data') && given('entities'))
    found.push(validationEntry('body', ['entities'], 'value_error', 'Give data or entities, not both', body.entities));
  if (!given('data') && !given('entities'))
    found.push(validationEntry('body', ['data'], 'missing', 'Field required unless entities is given: data', null));
  if (Array.isArray(body.entities) && body.entities.length > maxEntities) {
    found.push(
      validationEntry(
        'body',
        ['entities'],
        'too_long',
        `List should have at most ${maxEntities} items, not ${body.entities.length}`,
        body.entities,
      ),
    );
  }
  if (timestamp === null) {
    found.push(
      validationEntry('body', ['timestamp'], 'datetime_parsing', 'Input should be a valid datetime (ISO 8601; without a zone it is UTC)', body.timestamp),
    );
  }
}

/** `loc` may only begin with body, query or path: a problem of a header is listed under `body` with the header's name. */
function headerRules(headers: EventHeaders, found: ValidationEntry[]): void {
  const key = headerText(headers['idempotency-key']);
  if (key !== undefined && (key.length < 1 || key.length > maxIdempotencyKey)) {
    found.push(
      validationEntry(
        'body',
        ['Idempotency-Key'],
        key.length < 1 ? 'string_too_short' : 'string_too_long',
        `Header Idempotency-Key should have 1 to ${maxIdempotencyKey} characters`,
        key,
      ),
    );
  }
  const store = headerText(headers['x-store-id']);
  if (store !== undefined && store.length > maxStoreId) {
    found.push(
      validationEntry(
        'body',
        ['x-store-id'],
        'string_too_long',
        `Header x-store-id should have at most ${maxStoreId} characters`,
        store,
      ),
    );
  }
}

/**
 * The body with over-long lists and objects cut to a length at which they are still refused; the body itself when nothing is too
 * long.
 */
function boundedBody(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { entities } = body;
  const tooMany = Array.isArray(entities) && entities.length > maxEntities;
  const items = tooMany ? entities.slice(0, maxEntities) : entities;
  const crowded = Array.isArray(items) && items.some(isCrowded);
  if (!tooMany && !crowded && !isCrowded(body)) return body;
  return {
    ...firstKeys(body),
    ...(Array.isArray(items) && { entities: items.map((item) => (isCrowded(item) ? firstKeys(item) : item)) }),
  };
}

function isCrowded(value: unknown): value is Body {
  return isObject(value) && Object.keys(value).length > maxKeys;
}

const wanted = new Set(['event', 'data', 'timestamp', 'storeId', 'recordKey', 'type', 'externalObjectId', 'properties']);

function firstKeys(value: Body): Body {
  return Object.fromEntries(Object.entries(value).filter(([name], index) => index < maxKeys || wanted.has(name)));
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Node joins repeated headers of these names: a list is possible by the types only. */
function headerText(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header);
}
