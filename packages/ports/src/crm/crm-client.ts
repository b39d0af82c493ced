import type { CrmDefinitionCalls, CrmPropertyDefinition, CrmPropertyOption } from './crm-definitions';
import type { PropertyValue } from '@sluice/contracts';
import type { CallOptions, CrmAccess, CrmResult } from './crm-call';

/** Who gave a property its value, and when. */
export interface CrmChange {
  /** ISO 8601. */
  at: string;
  /** INTEGRATION for what apps wrote, else for example CRM_UI, IMPORT or WORKFLOWS. */
  sourceType: string;
  /** Of an app its id, of a person `userId:<id>`. */
  sourceId: string | null;
}

/** A record as an answer shows it. Values are text; an empty one that was asked for is null. */
export interface CrmRecord {
  id: string;
  properties: Record<string, string | null>;
  archived: boolean;
  createdAt: string;
  updatedAt: string;
  /** Where the read asked for them: the last change of each property that ever had a value. */
  lastChanges?: Record<string, CrmChange>;
  /** Upsert only: whether the call created it. */
  isNew?: boolean;
  /** Echo of the input's trace id, where the CRM sends it. */
  traceId?: string;
}

/**
 * One error entry of a 207 answer; `ids` and `traceIds` name the inputs, sometimes several. An entry without names is about an
 * input without a result.
 */
export interface CrmItemError {
  category: string;
  subCategory: string | null;
  message: string;
  traceIds: string[];
  ids: string[];
  /** The record that already has a unique value of the input, when the CRM refused the input for that reason. */
  holderId?: string;
  context: Record<string, string[]>;
}

/**
 * The results of a batch, in any order: a result is matched by `traceId` or, when the CRM does not echo it, by id or identity
 * value.
 */
export interface CrmBatchAnswer {
  results: CrmRecord[];
  errors: CrmItemError[];
}

export interface CrmAssociationType {
  category: 'HUBSPOT_DEFINED' | 'USER_DEFINED' | 'INTEGRATOR_DEFINED';
  typeId: number;
  label: string | null;
}

export interface CrmSearch {
  filterGroups: {
    filters: { propertyName: string; operator: string; value?: string; values?: string[]; highValue?: string }[];
  }[];
  properties: string[];
  sorts?: { propertyName: string; direction: 'ASCENDING' | 'DESCENDING' }[];
  limit: number;
  after?: string;
}

export interface CrmWriteInput {
  traceId: string;
  properties: Record<string, PropertyValue>;
}

/**
 * The CRM's public API, one method per endpoint that the product uses (docs/reference/crm-api.md). `crmClientConformance`
 * (testing) says what every client must do; in short:
 * - One method is one call: nothing is repeated, waited for or split here. Batch limits are the caller's: 100 records, 2,000
 *   associations, 100 values in a search filter; the CRM refuses more, and a record named twice (permanent, `crm_rejected`).
 * - Writes: with a trace id of its own per input a bad one is an entry of `errors` (207) and the others are written; without, one
 * refuses
 *   all. A create may be repeated only at the price of a second record; updates and upserts may be repeated.
 * - Never throws for an answer of the CRM, a cut connection or a timeout. Kinds: transient 5xx, 408, 425 `crm_unavailable`, 429
 *   `crm_rate_limited`, 423 `crm_locked`, 477 `crm_migrating`; fatal 401 `crm_unauthorized`, 403 `crm_forbidden`; permanent 404
 *   `crm_not_found`, a unique value that a named record holds (409 or 400) `crm_value_taken` with `holderId`, other 409
 * `crm_conflict`,
 *   other 4xx `crm_rejected`. `retryAfterMs` is the CRM's Retry-After, else what its policy is known to mean.
 * - Nothing was sent (transient, status 0): `crm_not_reached`, no connection could be made.
 * - Outcome unknown, a write may have landed or may still land (transient, status 0): `crm_unreachable` (cut), `crm_timeout`,
 * `crm_aborted` (by the
 *   caller's signal), `crm_unreadable` (a 2xx that is not the CRM's answer: it never passes for "nothing found"). A 5xx may have
 * landed too.
 * - `rate` is what the CRM said of its limits, on refusals as well; searches say nothing.
 */
export interface CrmClient extends CrmDefinitionCalls {
  batchRead(
    access: CrmAccess,
    objectType: string,
    input: { ids: string[]; idProperty?: string; properties: string[]; lastChanges?: string[]; archived?: boolean },
    options: CallOptions,
  ): Promise<CrmResult<CrmBatchAnswer>>;
  batchCreate(
    access: CrmAccess,
    objectType: string,
    inputs: CrmWriteInput[],
    options: CallOptions,
  ): Promise<CrmResult<CrmBatchAnswer>>;
  batchUpdate(
    access: CrmAccess,
    objectType: string,
    inputs: (CrmWriteInput & { id: string })[],
    options: CallOptions,
  ): Promise<CrmResult<CrmBatchAnswer>>;
  batchUpsert(
    access: CrmAccess,
    objectType: string,
    idProperty: string,
    inputs: (CrmWriteInput & { id: string })[],
    options: CallOptions,
  ): Promise<CrmResult<CrmBatchAnswer>>;
  /** All or none; a record that does not exist counts as archived. */
  batchArchive(access: CrmAccess, objectType: string, ids: string[], options: CallOptions): Promise<CrmResult<null>>;
  /** Lags behind writes, unlike reads. Oldest record first. */
  search(
    access: CrmAccess,
    objectType: string,
    search: CrmSearch,
    options: CallOptions,
  ): Promise<CrmResult<{ results: CrmRecord[]; total: number; after: string | null }>>;
  associationTypes(
    access: CrmAccess,
    fromType: string,
    toType: string,
    options: CallOptions,
  ): Promise<CrmResult<CrmAssociationType[]>>;
  /** The types of which a record at the start may have a limited number of partners, as the portal's administrators set it. */
  associationLimits(
    access: CrmAccess,
    fromType: string,
    toType: string,
    options: CallOptions,
  ): Promise<CrmResult<{ category: CrmAssociationType['category']; typeId: number; max: number }[]>>;
  /** `done`: the number of inputs without an error. */
  batchAssociate(
    access: CrmAccess,
    fromType: string,
    toType: string,
    inputs: { fromId: string; toId: string; types: { category: string; typeId: number }[] }[],
    options: CallOptions,
  ): Promise<CrmResult<{ done: number; errors: CrmItemError[] }>>;
  batchAssociateDefault(
    access: CrmAccess,
    fromType: string,
    toType: string,
    inputs: { fromId: string; toId: string }[],
    options: CallOptions,
  ): Promise<CrmResult<{ done: number; errors: CrmItemError[] }>>;
  /** The first page (up to 500) of each record; records without associations, or not there, are left out. */
  batchReadAssociations(
    access: CrmAccess,
    fromType: string,
    toType: string,
    fromIds: string[],
    options: CallOptions,
  ): Promise<CrmResult<{ fromId: string; to: { id: string; types: CrmAssociationType[] }[] }[]>>;
  /** Both directions; pairs that are not associated are no error. */
  batchArchiveAssociations(
    access: CrmAccess,
    fromType: string,
    toType: string,
    inputs: { fromId: string; toIds: string[] }[],
    options: CallOptions,
  ): Promise<CrmResult<null>>;
  /** Both directions; only the given types of a pair. Removing the default type removes the whole association. */
  batchArchiveLabels(
    access: CrmAccess,
    fromType: string,
    toType: string,
    inputs: { fromId: string; toId: string; types: { category: string; typeId: number }[] }[],
    options: CallOptions,
  ): Promise<CrmResult<null>>;
  properties(access: CrmAccess, objectType: string, options: CallOptions): Promise<CrmResult<CrmPropertyDefinition[]>>;
  /** Properties that exist already are entries of `errors` (OBJECT_ALREADY_EXISTS). */
  createProperties(
    access: CrmAccess,
    objectType: string,
    definitions: CrmPropertyDefinition[],
    options: CallOptions,
  ): Promise<CrmResult<{ created: string[]; errors: CrmItemError[] }>>;
  /** Replaces the options of an enumeration; options in use must be in the new list (docs/reference/crm-api.md, Properties). */
  updatePropertyOptions(
    access: CrmAccess,
    objectType: string,
    property: string,
    options: CrmPropertyOption[],
    call: CallOptions,
  ): Promise<CrmResult<null>>;
  propertyGroups(
    access: CrmAccess,
    objectType: string,
    options: CallOptions,
  ): Promise<CrmResult<{ name: string; label: string }[]>>;
  /** One that exists already: permanent, `crm_conflict`. */
  createPropertyGroup(
    access: CrmAccess,
    objectType: string,
    group: { name: string; label: string },
    options: CallOptions,
  ): Promise<CrmResult<null>>;
  /** Portal, scopes and app of a token; a token the CRM refuses is a permanent failure `crm_token_refused`. */
  introspect(
    accessToken: string,
    options: CallOptions,
  ): Promise<CrmResult<{ portalId: string; scopes: string[]; expiresInS: number | null; appId: string | null }>>;
  /** The tokens of an app that was installed: the code is good once, and for the address that it was sent to. */
  exchangeCode(
    install: { code: string; redirectUri: string },
    options: CallOptions,
  ): Promise<CrmResult<{ accessToken: string; refreshToken: string; expiresInS: number }>>;
  refreshToken(
    refreshToken: string,
    options: CallOptions,
  ): Promise<CrmResult<{ accessToken: string; refreshToken: string; expiresInS: number }>>;
}
