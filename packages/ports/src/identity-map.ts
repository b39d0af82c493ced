// What a flow run keeps of records and their identities: mappings, and claims before creates.

/** Where an accepted event stands in the log: compared by `isLaterPosition`. */
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
  /** Accept position of the last landed write; null when only found, never written. */
  position: AcceptPosition | null;
}

/** A mapping that goes because its record was deleted: while it leads to that record. */
export interface MappingRemoval extends MappingKey {
  portalId: string;
  objectType: string;
  /** null: the deletion found no record, and no mapping goes. That it was asked for counts for older events all the same. */
  crmId: string | null;
  bindingEpoch: number;
  /** Accept position of the deletion: a guarded event that is older makes no record anew. */
  position: AcceptPosition;
}

/** A record of the CRM, whichever connectors and external ids lead to it. */
export interface CrmRecordKey {
  portalId: string;
  objectType: string;
  crmId: string;
}

/** A write that landed on a record to which no mapping of its leads: its position stands with the record itself. */
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

/** Claims are forgotten when they are this old: days later the CRM's search shows the record. */
export const claimsKeptMs = 7 * 86_400_000;

/**
 * `granted` go on and create; `taken_over` another unit left it behind: search, then go on and create; `own` the same unit
 * claimed before (resolve it first; `ageMs` how long ago, by the store's clock alone: the asker's may be another); `pending`
 * another is at it; `done` it exists.
 */
export type ClaimAnswer =
  | { state: 'granted' }
  | { state: 'taken_over' }
  | { state: 'own'; ageMs: number }
  | { state: 'pending' }
  | { state: 'done'; crmId: string };

export interface ClaimOptions {
  /** Age, by the store's clock, from which a pending claim of another unit passes to who asks for it. Milliseconds. */
  abandonedAfterMs: number;
}
