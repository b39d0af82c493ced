import type { CallResult, PropertyValue } from './crm-records';

/** Whose portal a call acts on. The token is a secret: adapters never log it. */
export interface CrmAccess {
  portalId: string;
  accessToken: string;
}

/** What the CRM said about its limits with an answer (crm-wire-api 2.6). */
export interface CrmRate {
  max: number;
  remaining: number;
  intervalMs: number;
}

/** A failed call plus what the wire said, so that callers can map errors to records. */
export interface CrmRecord {
  id: string;
  properties: Record<string, string | null>;
  archived: boolean;
  createdAt: string;
  updatedAt: string;
  /** Upsert only: whether the call created it. */
  isNew?: boolean;
  /** Echo of the input's trace id, where the CRM sends it. */
  traceId?: string;
}

/** One error entry of a 207 answer; `ids` and `traceIds` say whom it concerns. */
export interface CrmItemError {
  category: string;
  subCategory: string | null;
  message: string;
  traceIds: string[];
  ids: string[];
  context: Record<string, string[]>;
}

export interface CrmBatchAnswer {
  results: CrmRecord[];
  errors: CrmItemError[];
}

export interface CrmAssociationType {
  category: 'HUBSPOT_DEFINED' | 'USER_DEFINED' | 'INTEGRATOR_DEFINED';
  typeId: number;
  label: string | null;
}

export interface CrmPropertyDefinition {
  name: string;
  label: string;
  type: string;
  fieldType: string;
  groupName: string;
  options?: { label: string; value: string; displayOrder?: number; hidden?: boolean }[];
  hasUniqueValue?: boolean;
  readOnly?: boolean;
  externalOptions?: boolean;
}

export interface CrmSearch {
  filterGroups: { filters: { propertyName: string; operator: string; value?: string; values?: string[]; highValue?: string }[] }[];
  properties: string[];
  sorts?: { propertyName: string; direction: 'ASCENDING' | 'DESCENDING' }[];
  limit: number;
  after?: string;
}

export interface CrmWriteInput {
  traceId: string;
  properties: Record<string, PropertyValue>;
}

/** A CallResult whose failure also carries the HTTP status (0: no answer) and the CRM's own words. */
export type CrmResult<T> = CallResult<T> & { status: number; rate?: CrmRate; body?: CrmErrorBody };

export interface CrmErrorBody {
  category?: string;
  subCategory?: string;
  message?: string;
  correlationId?: string;
  policyName?: string;
  context?: Record<string, string[]>;
  errors?: { message?: string; code?: string; context?: Record<string, string[]> }[];
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds; the caller keeps it inside its lease (DESIGN 2.4). */
  timeoutMs: number;
  headers?: Record<string, string>;
}

/**
 * The CRM's public wire, a method per endpoint the product uses (reference crm-wire-api). Batch limits are the caller's:
 * 100 records, 2,000 associations, 100 values in a search filter. Never throws for an answer of the CRM, a cut connection or a timeout:
 * those are values with `kind` transient (5xx, 429, 423, 477, cut, timeout), fatal (401, 403) or permanent (other 4xx).
 */
export interface CrmClient {
  batchRead(access: CrmAccess, objectType: string, input: { ids: string[]; idProperty?: string; properties: string[]; archived?: boolean }, options: CallOptions): Promise<CrmResult<CrmBatchAnswer>>;
  batchCreate(access: CrmAccess, objectType: string, inputs: CrmWriteInput[], options: CallOptions): Promise<CrmResult<CrmBatchAnswer>>;
  batchUpdate(access: CrmAccess, objectType: string, inputs: (CrmWriteInput & { id: string })[], options: CallOptions): Promise<CrmResult<CrmBatchAnswer>>;
  batchUpsert(access: CrmAccess, objectType: string, idProperty: string, inputs: (CrmWriteInput & { id: string })[], options: CallOptions): Promise<CrmResult<CrmBatchAnswer>>;
  search(access: CrmAccess, objectType: string, search: CrmSearch, options: CallOptions): Promise<CrmResult<{ results: CrmRecord[]; total: number; after: string | null }>>;
  associationTypes(access: CrmAccess, fromType: string, toType: string, options: CallOptions): Promise<CrmResult<CrmAssociationType[]>>;
  batchAssociate(access: CrmAccess, fromType: string, toType: string, inputs: { fromId: string; toId: string; types: { category: string; typeId: number }[] }[], options: CallOptions): Promise<CrmResult<{ done: number; errors: CrmItemError[] }>>;
  batchAssociateDefault(access: CrmAccess, fromType: string, toType: string, inputs: { fromId: string; toId: string }[], options: CallOptions): Promise<CrmResult<{ done: number; errors: CrmItemError[] }>>;
  batchReadAssociations(access: CrmAccess, fromType: string, toType: string, fromIds: string[], options: CallOptions): Promise<CrmResult<{ fromId: string; to: { id: string; types: CrmAssociationType[] }[] }[]>>;
  batchArchiveAssociations(access: CrmAccess, fromType: string, toType: string, inputs: { fromId: string; toIds: string[] }[], options: CallOptions): Promise<CrmResult<null>>;
  properties(access: CrmAccess, objectType: string, options: CallOptions): Promise<CrmResult<CrmPropertyDefinition[]>>;
  createProperties(access: CrmAccess, objectType: string, definitions: CrmPropertyDefinition[], options: CallOptions): Promise<CrmResult<{ created: string[]; errors: CrmItemError[] }>>;
  propertyGroups(access: CrmAccess, objectType: string, options: CallOptions): Promise<CrmResult<{ name: string; label: string }[]>>;
  createPropertyGroup(access: CrmAccess, objectType: string, group: { name: string; label: string }, options: CallOptions): Promise<CrmResult<null>>;
  /** Portal and scopes of a token; a token the CRM refuses is a permanent failure `crm_token_refused`. */
  introspect(accessToken: string, options: CallOptions): Promise<CrmResult<{ portalId: string; scopes: string[]; expiresInS: number | null }>>;
  refreshToken(refreshToken: string, options: CallOptions): Promise<CrmResult<{ accessToken: string; refreshToken: string; expiresInS: number }>>;
}
