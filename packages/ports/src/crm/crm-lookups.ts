import type { FoundRecord } from './found-record';
import type { CallResult } from './call-result';

/** A condition of a query; which fields it has depends on the operator (docs/reference/crm-api.md, Search). */
export interface QueryFilter {
  property: string;
  operator: string;
  value?: string;
  values?: string[];
  highValue?: string;
}

export interface QueryRequest {
  objectType: string;
  /** At least one group must match, and within a group every condition. Empty: every record. */
  filterGroups: QueryFilter[][];
  properties: string[];
  sorts: { property: string; direction: 'ASCENDING' | 'DESCENDING' }[];
  /** Rows at most; pages are followed. */
  limit: number;
}

export interface QueryAnswer {
  rows: FoundRecord[];
  /** How many there are, also beyond the limit. */
  total: number;
}

export interface AssociatedRequest {
  objectType: string;
  crmId: string;
  /** Object type of the records that are asked for. */
  toObjectType: string;
  properties: string[];
  /** Records at most, the first; default: those of the first page of its associations. */
  limit?: number;
}

/** What a flow step may read of the CRM beside `find`. */
export interface CrmLookups {
  /** Searches; the CRM's index lags behind writes. */
  query(request: QueryRequest): Promise<CallResult<QueryAnswer>>;
  /** The records that a record is associated with: those of the first page of its associations. */
  associated(request: AssociatedRequest): Promise<CallResult<FoundRecord[]>>;
}
