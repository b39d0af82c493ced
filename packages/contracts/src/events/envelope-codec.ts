import type { EnvelopeKind, EventEnvelope } from './event-envelope';
import type { SourceType } from '../config/source-type';

/**
 * An envelope as a message carries it, version 2: JSON without fields that have their usual value, and with the payload as the
 * last field. Every event is written, replicated and read at least twice, so its bytes count. Version 1 were the fields of
 * `EventEnvelope` under their own names; it is still read.
 */
interface WireEnvelope {
  v: 2;
  /** event_id */
  id: string;
  /** accepted_at */
  at: string;
  /** organization_id */
  org: string;
  /** connector_id */
  connector: string;
  /** revision */
  rev: number;
  /** source_name */
  source: string;
  /** event_type */
  type: string;
  /** request_id */
  request: string;
  /** source_type, if it differs from the source's name. */
  via?: SourceType;
  /** The part of the lane after the connector's id, including the colon. */
  lane?: string;
  /** entity_index, entities_total; absent: 0 of 1. */
  index?: number;
  of?: number;
  /** external_id, store_id; absent: null. */
  ext?: string;
  store?: string;
  /** timestamp, if it differs from the accept time. */
  time?: string;
  /** Absent: 'first', 'live'. */
  run?: string;
  kind?: EnvelopeKind;
  /** replayed_at, forced */
  again?: string;
  force?: true;
  /** import_row: import_id, line */
  row?: [string, number];
  aliases?: string[];
  /** ordering_epoch; absent: 0. */
  order?: number;
  /** width; absent: 1. */
  wide?: number;
  /** payload_ref */
  ref?: { key: string; bytes: number };
  payload?: unknown;
}

/**
 * A text that no other field of the message can contain: within JSON strings quotes are escaped, and no other name ends like
 * this.
 */
const payloadMark = ',"payload":';

/**
 * Writes an envelope for the bus.
 * @param payload the payload's JSON text, if it is already known
 * @throws when its lane is not one of its connector, which is a bug
 */
export function encodeEnvelope(envelope: EventEnvelope, payload: string | undefined = payloadText(envelope)): Buffer {
  const head = JSON.stringify(wireOf(envelope));
  return Buffer.from(payload === undefined ? head : `${head.slice(0, -1)}${payloadMark}${payload}}`);
}

/** The JSON text of an envelope's payload; undefined: it has none. */
export const payloadText = ({ payload }: Pick<EventEnvelope, 'payload'>): string | undefined =>
  payload === undefined ? undefined : JSON.stringify(payload);

/** Reads an envelope. Throws when the bytes are no envelope: ingest-api never accepted such a message. */
export function decodeEnvelope(bytes: Buffer): EventEnvelope {
  const value = JSON.parse(bytes.toString('utf8')) as WireEnvelope | EventEnvelope;
  if (isFirstVersion(value)) return value;
  const envelope = envelopeOf(value);
  if (value.payload !== undefined) envelope.payload = value.payload;
  return envelope;
}

/**
 * An envelope whose payload was not parsed, and the payload's JSON text in UTF-8, a view of the message; null when it has none.
 */
export interface SplitEnvelope {
  envelope: Omit<EventEnvelope, 'payload'>;
  payload: Buffer | null;
}

/** As `decodeEnvelope`, for callers that only pass the payload on. The payload's text is not checked. */
export function splitEnvelope(bytes: Buffer): SplitEnvelope {
  const at = bytes.indexOf(payloadMark);
  const value = JSON.parse(at < 0 ? bytes.toString('utf8') : `${bytes.toString('utf8', 0, at)}}`) as WireEnvelope;
  if (value?.v === 2)
    return { envelope: envelopeOf(value), payload: at < 0 ? null : bytes.subarray(at + payloadMark.length, bytes.length - 1) };
  const { payload, ...envelope } = decodeEnvelope(bytes);
  return { envelope, payload: payload === undefined ? null : Buffer.from(JSON.stringify(payload)) };
}

function wireOf(envelope: EventEnvelope): WireEnvelope {
  const { connector_id: connector, source_name: source, accepted_at: at, lane } = envelope;
  if (!lane.startsWith(connector)) throw new Error('the lane of an event begins with its connector');
  const wire: WireEnvelope = {
    v: 2,
    id: envelope.event_id,
    at,
    org: envelope.organization_id,
    connector,
    rev: envelope.revision,
    source,
    type: envelope.event_type,
    request: envelope.request_id,
  };
  if (envelope.source_type !== source) wire.via = envelope.source_type;
  if (lane.length > connector.length) wire.lane = lane.slice(connector.length);
  if (envelope.entity_index !== 0) wire.index = envelope.entity_index;
  if (envelope.entities_total !== 1) wire.of = envelope.entities_total;
  if (envelope.external_id !== null) wire.ext = envelope.external_id;
  if (envelope.store_id !== null) wire.store = envelope.store_id;
  if (envelope.timestamp !== at) wire.time = envelope.timestamp;
  if (envelope.run !== 'first') wire.run = envelope.run;
  if (envelope.kind !== 'live') wire.kind = envelope.kind;
  if (envelope.replayed_at !== undefined) wire.again = envelope.replayed_at;
  if (envelope.forced) wire.force = true;
  if (envelope.import_row) wire.row = [envelope.import_row.import_id, envelope.import_row.line];
  if (envelope.aliases !== undefined) wire.aliases = envelope.aliases;
  if (envelope.ordering_epoch) wire.order = envelope.ordering_epoch;
  if (envelope.width !== undefined) wire.wide = envelope.width;
  if (envelope.payload_ref !== undefined) wire.ref = envelope.payload_ref;
  return wire;
}

function envelopeOf(wire: WireEnvelope): EventEnvelope {
  if (wire?.v !== 2 || typeof wire.id !== 'string' || typeof wire.connector !== 'string' || typeof wire.at !== 'string')
    throw new Error('not an event envelope of a known version');
  const envelope: EventEnvelope = {
    v: 1,
    event_id: wire.id,
    entity_index: wire.index ?? 0,
    entities_total: wire.of ?? 1,
    organization_id: wire.org,
    connector_id: wire.connector,
    revision: wire.rev,
    source_name: wire.source,
    source_type: wire.via ?? (wire.source as SourceType),
    event_type: wire.type,
    external_id: wire.ext ?? null,
    timestamp: wire.time ?? wire.at,
    store_id: wire.store ?? null,
    accepted_at: wire.at,
    lane: wire.connector + (wire.lane ?? ''),
    run: wire.run ?? 'first',
    kind: wire.kind ?? 'live',
    request_id: wire.request,
  };
  if (wire.again !== undefined) envelope.replayed_at = wire.again;
  if (wire.force) envelope.forced = true;
  if (wire.row) envelope.import_row = { import_id: wire.row[0], line: wire.row[1] };
  if (wire.aliases !== undefined) envelope.aliases = wire.aliases;
  if (wire.order !== undefined) envelope.ordering_epoch = wire.order;
  if (wire.wide !== undefined) envelope.width = wire.wide;
  if (wire.ref !== undefined) envelope.payload_ref = wire.ref;
  return envelope;
}

function isFirstVersion(value: WireEnvelope | EventEnvelope): value is EventEnvelope {
  return value?.v === 1 && typeof value.event_id === 'string' && typeof value.lane === 'string';
}
