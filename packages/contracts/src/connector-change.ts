import type { SourceType } from './events/event-envelope';

/** `connector`: all events of a connector are ordered with each other. `record`: per record, if the event names its record. */
export type Ordering = 'record' | 'connector';

/** The ordering in a connector's settings. */
export const orderingOf = (settings: Readonly<Record<string, unknown>>): Ordering =>
  settings['ordering'] === 'connector' ? 'connector' : 'record';

/** Plan tiers (docs/reference/accounts-and-plans.md, Plans). */
export const tiers = ['free', 'starter', 'pro', 'scale', 'trial', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export const organizationStates = ['active', 'suspended', 'closing', 'closed'] as const;
export type OrganizationState = (typeof organizationStates)[number];

export const connectorStatuses = ['active', 'paused', 'error'] as const;
export type ConnectorStatus = (typeof connectorStatuses)[number];

/**
 * States of the cap of a first sync (docs/reference/events.md, First-sync write cap), in their order. From `tripped` to
 * `settling` the connector takes no new events in; in `releasing` and `settling` its waiting events run.
 */
export const writeCapStates = ['armed', 'tripped', 'releasing', 'settling', 'released'] as const;
export type WriteCapState = (typeof writeCapStates)[number];

/** What ingestion needs to know of a published flow to answer hints. Read by version number, never part of a change. */
export interface FlowIndexEntry {
  name: string;
  source: string;
  source_type: SourceType;
  event_type: string;
  enabled: boolean;
}

/** A usable connector API key as other services know it. */
export interface ConnectorKey {
  id: string;
  /** SHA-256 hex of the key. */
  hash: string;
  expires_at: string | null;
}

/** Keys in one change at most, newest first. Further keys of a connector are found by look-up (`ConfigReader`). */
export const maxKeysInChange = 100;

/**
 * Value of the compacted topic `connector.changes`, keyed by connector id: what other services must know of a connector
 * without asking a database. A lower revision than the known one is ignored. Nothing in it grows with the config: a message
 * stays below 32 KiB whatever is published (ADR 0040).
 */
export interface ConnectorChange {
  v: 1;
  connector_id: string;
  organization_id: string;
  /** Raised under the connector's row lock on every change of it, its keys, its versions or its organization. */
  revision: number;
  deleted: boolean;
  name: string;
  status: ConnectorStatus;
  default_store_id: string | null;
  organization: {
    tier: Tier;
    state: OrganizationState;
    /** Whether record keys order events (docs/reference/events.md, Ordering). An operator turns it on per organization. */
    per_record_ordering: boolean;
    /** Agreed limits by the billing view's names, null for unlimited; absent names follow the tier. */
    limits: Record<string, number | null>;
  };
  /** `connector` opts out of per-record ordering (settings.ordering). */
  ordering: Ordering;
  /**
   * Raised by every change that affects the connector's lanes. Events of different epochs may have different lanes for one
   * record: the runner keeps them in order (ADR 0032). Absent in messages of the release before: 0.
   */
  ordering_epoch?: number;
  /**
   * Raised when an identity mapping is removed by hand: mappings that a runner cached before are read again. Absent in messages
   * of the previous release: 0.
   */
  mappings_removed?: number;
  /** Number of partitions that the connector's records spread over; 1 by default. It is only ever raised. */
  width: number;
  /**
   * The last raise of the width: before `from` (ISO 8601) acceptors place events by the width `before`, with the ordering epoch
   * below this one (ADR 0134). Absent: it was never raised.
   */
  width_raise?: { before: number; from: string };
  /** Usable keys, newest first, at most `maxKeysInChange`. */
  keys: ConnectorKey[];
  /** Number of the active published version, null before the first publish. Its config and flow index are read by this number. */
  active_version: number | null;
  /** The cap of its first sync; null: it has none. Absent in messages of the release before: none. */
  write_cap?: WriteCapState | null;
  /**
   * Raised when what the names of plugins mean changes in the active version: a compiled form of it is out of date then. Absent
   * in messages of the previous release: 0.
   */
  plugins_revision?: number;
  /** Always empty: an ingest-api of the previous release reads it during a rolling update. Removed with the next release. */
  flows?: never[];
  /** The portal binding in force; `epoch` rises with every rebind. */
  binding: { credential_id: string; portal_id: string; epoch: number } | null;
}
