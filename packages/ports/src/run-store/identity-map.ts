// The types of identity mappings, and of claims before creates.

/** The position of an accepted event in the log: compared by `isLaterPosition`. */
export interface AcceptPosition {
  partition: number;
  offset: bigint;
  acceptedAt: string;
}

export interface MappingKey {
  connectorId: string;
  entity: string;
  externalId: string;
}

export interface Mapping extends MappingKey {
  portalId: string;
  objectType: string;
  crmId: string;
  /** Epoch of the connector's portal binding: a save of another epoch is refused. */
  bindingEpoch: number;
  /** Accept position of the last write; null when the record was only found, never written. */
  position: AcceptPosition | null;
}

/** Removes a mapping because its record was deleted, if it still points to that record. */
export interface MappingRemoval extends MappingKey {
  portalId: string;
  objectType: string;
  /** null: the deletion found no record, and no mapping is removed. It still counts for older events. */
  crmId: string | null;
  bindingEpoch: number;
  /** Accept position of the deletion: a guarded event that is older does not create the record again. */
  position: AcceptPosition;
}

/** A record of the CRM, independent of the connectors and external ids that are mapped to it. */
export interface CrmRecordKey {
  portalId: string;
  objectType: string;
  crmId: string;
}

/** A write without a mapping to its record: its position is stored with the record. */
export interface RecordWriteNote extends CrmRecordKey {
  position: AcceptPosition;
}

export interface ClaimKey {
  portalId: string;
  objectType: string;
  property: string;
  /** Normalised identity value (trimmed; e-mails lower-cased). */
  value: string;
}

/** Claims are deleted at this age: the CRM's search certainly shows the record by then. */
export const claimsKeptMs = 7 * 86_400_000;

/**
 * `granted`: create the record; `taken_over`: another unit abandoned the claim: search, then create; `own`: the same unit claimed
 * before (resolve it first; `ageMs`: how long ago, and `claimedAt`: when, milliseconds since the epoch, both by the store's
 * clock); `pending`: another unit is creating it; `done`: the record exists.
 */
export type ClaimAnswer =
  | { state: 'granted' }
  | { state: 'taken_over' }
  | { state: 'own'; ageMs: number; claimedAt: number }
  | { state: 'pending' }
  | { state: 'done'; crmId: string };

export interface ClaimOptions {
  /** Age, by the store's clock, from which a pending claim of another unit is taken over. Milliseconds. */
  abandonedAfterMs: number;
}
