import type { PropertyValue } from '@sluice/contracts';

/** A record of the CRM that was found, with the properties that were asked for. */
export interface FoundRecord {
  crm_id: string;
  properties: Record<string, string | null>;
}

export interface FindRequest {
  objectType: string;
  /** Every pair must equal. Empty when `externalId` is used. */
  match: Record<string, PropertyValue>;
  /** Look through the identity map of this entity instead. */
  through?: { entity: string; externalId: string };
  properties: string[];
}
