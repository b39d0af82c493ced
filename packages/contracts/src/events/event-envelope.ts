import type { SourceType } from '../config/source-type';

export { sourceTypes, type SourceType } from '../config/source-type';

/**
 * How far the clocks of two ingest-api may be apart, milliseconds. An event that is sent twice under one Idempotency-Key around
 * midnight (UTC) runs once as long as they are not further apart.
 */
export const toleratedClockSkewMs = 600_000;

/**
 * Why this message was sent. A replayed, resent or stepped-aside event and a row of an import never overwrite something newer
 * (docs/reference/events.md, Superseded events); a live one is ordered only by its lane.
 */
const envelopeKinds = ['live', 'replay', 'resend', 'stepped_aside', 'import'] as const;
export type EnvelopeKind = (typeof envelopeKinds)[number];

/** A row of a bulk import, by its line. */
export interface ImportRow {
  import_id: string;
  line: number;
}

/**
 * One unit of work on `events.inbound` or `events.outbound`: one record of an accepted event. A request with `entities` becomes
 * one envelope per entry, all with the same `event_id`. The unit's identity everywhere is (event_id, entity_index, run). Its
 * encoding in messages: `encodeEnvelope`.
 */
export interface EventEnvelope {
  /** Version of these fields, which `held_events` stores as JSON. The message has its own version. */
  v: 1;
  /** Opaque to callers; carries the accept time, the connector and a MAC. */
  event_id: string;
  /** Position in the request's `entities`; 0 for the `data` shape. */
  entity_index: number;
  entities_total: number;
  organization_id: string;
  connector_id: string;
  /**
   * Revision of the connector that ingest-api knew: a runner that knows an older one loads the connector before it plans the
   * unit.
   */
  revision: number;
  source_name: string;
  source_type: SourceType;
  /** Concrete type: for `entities` entries `<type>_synced`. */
  event_type: string;
  external_id: string | null;
  /** Business time, ISO 8601 UTC; the accept time when the sender gave none. */
  timestamp: string;
  store_id: string | null;
  /** ISO 8601 UTC with milliseconds. */
  accepted_at: string;
  /** Ordering domain: `<connector>`, `<connector>:<recordKey>` or `<connector>:<type>:<externalObjectId>`. */
  lane: string;
  /** The connector's ordering when it was accepted, see `ConnectorChange`. Absent: 0. */
  ordering_epoch?: number;
  /** The connector's width by which it was placed, where that is more than 1: in so many partitions older events may lie. */
  width?: number;
  /** 'first' for the accepted run, else the id of the replay or the turn of an import. */
  run: string;
  kind: EnvelopeKind;
  /** When a replay was requested, ISO 8601 UTC: from then on it may wait as long as any event. */
  replayed_at?: string;
  /** Of a replay: it overwrites newer values, and no identity guard stops it. */
  forced?: true;
  /** The row of a bulk import that the event stands for, in all its runs. */
  import_row?: ImportRow;
  /**
   * Other ids under which the same event may have been accepted: that of the day before, near a day's end that of the next, and
   * those by the other listed keys of event ids.
   */
  aliases?: string[];
  /** The business payload, addressed `$.payload`. Absent when `payload_ref` is set. */
  payload?: unknown;
  /** The key of a payload over 256 KiB in the blob store. */
  payload_ref?: { key: string; bytes: number };
  request_id: string;
}
