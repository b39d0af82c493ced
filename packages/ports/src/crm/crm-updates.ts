import type { PropertyValue } from '@sluice/contracts';
import type { Arbitration, RecordWrite, RecordWriteResult } from './record-write';
import type { CallResult } from './call-result';

export interface UpdateByIdRequest {
  objectType: string;
  crmId: string;
  properties: Record<string, PropertyValue>;
  /** The entity in whose name it is written: conflicts are recorded under it. */
  entity?: string | null;
  /** Absent: the source wins, and nothing is checked. */
  conflicts?: Arbitration | null;
}

/** Writes that never create a record. */
export interface CrmUpdates {
  /**
   * Updates the record that the mapping leads to, else the one of the identity value, to which the mapping then moves. Without
   * one it is skipped (`record_not_found`, or `target_deleted` where the mapped record is gone).
   */
  update(write: RecordWrite): Promise<CallResult<RecordWriteResult>>;
  /** Updates the record of a CRM id; one that is not there is a permanent failure `crm_not_found`. */
  updateById(request: UpdateByIdRequest): Promise<CallResult<RecordWriteResult>>;
}
