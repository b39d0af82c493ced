import type { SourceType } from './event-envelope';

/** Plan tiers (interface, Plan limits). */
export const tiers = ['free', 'starter', 'pro', 'scale', 'trial', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export const organizationStates = ['active', 'suspended', 'closing', 'closed'] as const;
export type OrganizationState = (typeof organizationStates)[number];

export const connectorStatuses = ['active', 'paused', 'error'] as const;
export type ConnectorStatus = (typeof connectorStatuses)[number];

/** What ingestion needs to know of a published flow to answer hints and breaker checks. */
export interface FlowIndexEntry {
  name: string;
  source: string;
  source_type: SourceType;
  event_type: string;
  enabled: boolean;
}

/**
 * Value of the compacted topic `connector.changes`, keyed by connector id: everything other services must
 * know of a connector without asking a database (DESIGN 2.10). A lower revision than the known one is ignored.
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
    /** Progressive rollout of per-record ordering (interface, Events). */
    per_record_ordering: boolean;
    /** Agreed limits by the billing view's names, null for unlimited; absent names follow the tier. */
    limits: Record<string, number | null>;
  };
  /** `connector` opts out of per-record ordering (settings.ordering). */
  ordering: 'record' | 'connector';
  /** Partitions the connector's records spread over; 1 unless an operator raised it (DESIGN 2.2). */
  width: number;
  /** SHA-256 hex of each usable connector API key. */
  keys: { id: string; hash: string; expires_at: string | null }[];
  /** Number of the active published version, null before the first publish. */
  active_version: number | null;
  flows: FlowIndexEntry[];
  /** The portal binding in force; `epoch` rises with every rebind. */
  binding: { credential_id: string; portal_id: string; epoch: number } | null;
}
