import type { CrmRecord, PropertyValue } from '@sluice/ports';
import type { UnitContext } from '../shared/unit-context';

/** The unit that makes the request. */
export interface UnitRequest {
  unit: UnitContext;
}
/** Values to be written to a record. */
interface WriteRequest extends UnitRequest {
  /**
   * Checked when the batch is sent: whether something newer was written since the unit checked. Then the write is left out (code
   * `superseded`).
   */
  superseded?: (() => boolean) | undefined;
  /**
   * Called as soon as the CRM has answered that the record was written, which may be long before the whole batch has: a batch
   * that failed is sent again in parts.
   */
  heard?: ((record: CrmRecord) => void) | undefined;
}
/** New values for a record whose id is known. */
export interface UpdateRequest extends WriteRequest {
  id: string;
  properties: Record<string, PropertyValue>;
}
/** A record to be created, or found by its identity. */
export interface CreateRequest extends WriteRequest {
  identityValue: string;
  properties: Record<string, PropertyValue>;
}
/** One value to look up. */
export interface ReadRequest extends UnitRequest {
  value: string;
}
