import type { CallResult } from './call-result';

/** A mapping as a step names it. */
export interface IdentityOfRecord {
  entity: string;
  externalId: string;
  objectType: string;
  crmId: string;
}

/** The identity mappings of the connector as one flow run sees them (docs/reference/identity-and-associations.md). */
export interface IdentityMap {
  /** Whether mappings can be read and saved: they belong to the portal that the connector is bound to. */
  ready(): CallResult<null>;
  /** Notes a mapping to be stored with the outcome of the run; later steps see it. */
  save(mapping: IdentityOfRecord): CallResult<null>;
  /** The external id that the CRM record is mapped to, of several the one that wrote it last; null: none. */
  externalIdOf(record: Omit<IdentityOfRecord, 'externalId'>): Promise<CallResult<string | null>>;
  /** Removes a mapping, stored with the outcome of the run. */
  remove(mapping: IdentityOfRecord): CallResult<null>;
}
