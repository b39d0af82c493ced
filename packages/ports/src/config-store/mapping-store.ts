/** An identity mapping for config-api: the CRM record of an external id of an entity. */
export interface IdentityMappingRow {
  entity: string;
  externalId: string;
  objectType: string;
  crmId: string;
}

export interface NewIdentityMapping extends IdentityMappingRow {
  connectorId: string;
  portalId: string;
  /** Epoch of the binding under which the record was found. */
  bindingEpoch: number;
}

/**
 * `saved`; `taken`: the external id, or the record within the entity, has a mapping; `binding_changed`: the connector was bound
 * to another portal meanwhile.
 */
export type MappingSaved = 'saved' | 'taken' | 'binding_changed';

export type RestoredMapping = Omit<NewIdentityMapping, 'connectorId' | 'bindingEpoch'>;

/** What became of mappings that were restored. */
export interface MappingsRestored {
  saved: number;
  /** Those whose external ids have a mapping, as it is. */
  present: IdentityMappingRow[];
}

/** Identity mappings of connectors, which the flow-runner writes and people correct. */
export interface MappingStore {
  /** @param entity null: of all entities */
  count(connectorId: string, entity: string | null): Promise<number>;
  find(connectorId: string, entity: string, externalId: string): Promise<IdentityMappingRow | null>;
  /** The mapping of an entity that leads to a record. */
  findByRecord(
    connectorId: string, entity: string, record: { objectType: string; crmId: string },
  ): Promise<IdentityMappingRow | null>;
  save(mapping: NewIdentityMapping): Promise<MappingSaved>;
  /**
   * Saves those whose external ids are free, whatever records they lead to. What is there stays as it is.
   * @param mappings each external id of an entity once
   * @returns `binding_changed` when the connector is bound otherwise
   */
  restore(
    connectorId: string, bindingEpoch: number, mappings: readonly RestoredMapping[],
  ): Promise<MappingsRestored | 'binding_changed'>;
  /** False: there is none. The runners drop their cached mappings of the connector. */
  remove(connectorId: string, entity: string, externalId: string): Promise<boolean>;
}
