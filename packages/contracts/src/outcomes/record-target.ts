// In a file of its own, so that the pure packages can import it without the types of Node.

/** A property value on its way to the CRM. null clears the property. */
export type PropertyValue = string | number | boolean | null;

/** One record as its entity's `crm` schema describes it. */
export interface RecordTarget {
  /** Entity name in the config: with the external id the key of the identity mapping. */
  entity: string;
  objectType: string;
  /** The property that identifies the record in the CRM, and its projected value to search by (null: none in the event). */
  identityProperty: string | null;
  identityValue: string | null;
  /** Key of the identity mapping. null: the event names no external id. */
  externalId: string | null;
  /** Policy when the mapped record was deleted in the CRM; default `skip` (code `target_deleted`, quarantined). */
  onTargetDeleted?: 'skip' | 'recreate';
}
