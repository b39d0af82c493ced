import { entityEventType } from '@sluice/contracts';
import { CliError } from './cli-error';

/** An event as a flow gets it. */
export interface LocalEvent {
  event_type: string;
  payload: unknown;
  external_id?: string;
  timestamp?: string;
  store_id?: string;
}

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => value !== null && typeof value === 'object' && !Array.isArray(value);

const shapes = [
  'An event is the body of POST /api/v1/events,',
  '  {"event": "order.placed", "data": {...}}  or  {"event": "sync", "entities": [{"type", "externalObjectId", "properties"}]},',
  'or what any other source gives to a flow,',
  '  {"event_type": "0-1.update", "payload": {...}, "external_id"?, "timestamp"?}.',
].join('\n');

/** The events of a file's content: several for `entities`. Throws CliError. */
export function readEvents(content: unknown): LocalEvent[] {
  if (!isObject(content)) throw new CliError(`The event is no JSON object.\n${shapes}`);
  if ('event_type' in content) return [wholeEvent(content)];
  const event = content['event'];
  if (typeof event !== 'string' || event === '') throw new CliError(`The event has no "event" (its type).\n${shapes}`);
  if (('data' in content) === ('entities' in content))
    throw new CliError(`The event needs "data" or "entities", and not both.\n${shapes}`);
  const shared = { ...textField(content, 'timestamp', 'timestamp'), ...textField(content, 'storeId', 'store_id') };
  if ('data' in content) return [{ event_type: event, payload: content['data'], ...shared }];
  if (!Array.isArray(content['entities'])) throw new CliError('"entities" is no list.');
  return content['entities'].map((entity, index) => ({ ...entityEvent(entity, index), ...shared }));
}

function wholeEvent(content: Fields): LocalEvent {
  const type = content['event_type'];
  if (typeof type !== 'string' || !('payload' in content))
    throw new CliError(`The event needs "event_type" (a text) and "payload".\n${shapes}`);
  const more = { ...textField(content, 'external_id', 'external_id'), ...textField(content, 'timestamp', 'timestamp') };
  return { event_type: type, payload: content['payload'], ...more };
}

function entityEvent(entity: unknown, index: number): LocalEvent {
  const { type, externalObjectId, properties } = isObject(entity) ? entity : {};
  if (typeof type !== 'string' || typeof externalObjectId !== 'string' || !isObject(properties))
    throw new CliError(`entities[${index}] needs "type" and "externalObjectId" (texts) and "properties" (an object).`);
  return { event_type: entityEventType(type), payload: properties, external_id: externalObjectId };
}

function textField<K extends string>(content: Fields, name: string, as: K): { [P in K]?: string } {
  const value = content[name];
  if (value === undefined) return {};
  if (typeof value !== 'string') throw new CliError(`"${name}" of the event is no text.`);
  return { [as]: value } as { [P in K]?: string };
}
