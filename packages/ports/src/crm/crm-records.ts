import type { CrmLifecycle } from './crm-lifecycle';
import type { CrmLookups } from './crm-lookups';
import type { CrmUpdates } from './crm-updates';
import type { RecordWrite, RecordWriteResult } from './record-write';
import type { CallResult } from './call-result';
import type { FindRequest, FoundRecord } from './found-record';
import type { AssociateAnswer, AssociateRequest } from './record-association';

/**
 * What a flow step may ask of the CRM, as one flow run sees it: bound to its connector's portal, its accept position and its
 * run. The CRM writer implements it (coalescing many lanes into batches, claims, mappings); it has no twin (ADR 0022). What
 * every implementation does is told by `crmRecordsConformance` and `crmLookupsConformance` (testing). Expected failures are
 * values; throwing is a bug.
 */
export interface CrmRecords extends CrmLifecycle, CrmLookups, CrmUpdates {
  /** Searches by identity and creates a record only if none matches (docs/reference/steps-and-actions.md, upsert). */
  upsert(write: RecordWrite): Promise<CallResult<RecordWriteResult>>;
  /** The first match and how many there are. */
  find(request: FindRequest): Promise<CallResult<{ record: FoundRecord | null; count: number }>>;
  /** A `to` without an external id is skipped; when the record of a `to` does not exist yet, the event steps aside. */
  associate(request: AssociateRequest): Promise<AssociateAnswer>;
}
