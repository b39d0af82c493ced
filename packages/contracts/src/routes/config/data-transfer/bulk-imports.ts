import { importLimits, importRowStatuses } from '../../../jobs/bulk-import';
import { eventBounds } from '../../../events/event-bounds';
import { cancelErrors, jobListOf, jobListQuery, jobRowsOf, jobRowsQuery, jobStatuses } from '../../../jobs/jobs';
import { defineRoute } from '../../../http/route';
import { connectorParams, freeObject, idText, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

const jsonBytes = 10 * 1024 ** 2;

const count = { type: 'integer', minimum: 0 } as const;
/** Text that ends up in columns and message keys: no NUL, no half of a surrogate pair. */
const plainText = '^[^\\u0000\\uD800-\\uDFFF]*$';
const entityName = { type: 'string', minLength: 1, maxLength: 128, description: 'An entity of the active version.' } as const;
const eventType = {
  type: 'string', minLength: 1, maxLength: eventBounds.eventType, pattern: plainText,
  description: 'The event type as which the rows run. Default: `<entity>_synced`.',
} as const;

const job = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id', 'entity', 'event_type', 'status', 'rows_total', 'rows_done', 'rows_failed', 'rows_skipped', 'rows_held', 'error',
    'created_at', 'completed_at',
  ],
  properties: {
    id: uuid, entity: { type: 'string' }, event_type: { type: 'string' },
    status: {
      type: 'string', enum: [...jobStatuses.bulk_import],
      description: '`held`: the connector takes no writes now. `completed_with_errors`: some rows failed, or all.',
    },
    rows_total: count,
    rows_done: { ...count, description: 'Rows that were written.' },
    rows_failed: { ...count, description: 'Rows that failed, are parked or quarantined.' },
    rows_skipped: count,
    rows_held: { ...count, description: 'Rows that wait while the import is `held`. Other rows that are not finished count nowhere.' },
    error: { ...nullableText, description: 'Why the import as a whole failed.' },
    created_at: timestamp, completed_at: nullableTimestamp,
  },
} as const;

const row = {
  type: 'object',
  additionalProperties: false,
  required: ['line', 'external_id', 'status', 'crm_id', 'error', 'error_code'],
  properties: {
    line: { ...count, description: 'Of a JSON request: its place, from 1. Of a file: its line, with a header from 2.' },
    external_id: nullableText,
    status: { type: 'string', enum: importRowStatuses },
    crm_id: nullableText, error: nullableText,
    error_code: {
      ...nullableText,
      description: 'The code of the failure, or the reason of a skip. `invalid_row`: it cannot be read; `held_expired`: it was held '
        + 'too long; `cancelled`: the import was cancelled before it ran.',
    },
  },
} as const;

const params = {
  type: 'object', required: ['connector_id', 'import_id'], properties: { connector_id: idText, import_id: idText },
} as const;
const found = ['connector_not_found', 'Not Found'] as const;
const route = { tag: 'Bulk imports', auth: 'config' } as const;
const path = '/api/connectors/:connector_id/bulk-imports';

export const createBulkImport = defineRoute({
  ...route,
  name: 'create_bulk_import', method: 'post', path,
  audit: { action: 'bulk_import.create', target: 'bulk_import' },
  summary: 'Bring in many records of one entity',
  description: [
    'Rows are JSON (`rows`, at most 10,000), or a file as a form (csv or jsonl, by its extension, UTF-8). Every row is an event of',
    'the type `<entity>_synced`, or `event_type`, and runs its flow below live events. A row never overwrites something that was',
    'accepted after the import. The rows count in the quota once they are written; an import whose rows do not fit is refused as a',
    'whole. Answered when all rows are stored. A row of a file that cannot be read is `failed`, `invalid_row`, and the others run.',
  ].join(' '),
  params: connectorParams,
  bodyLimit: jsonBytes,
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['entity', 'rows'],
    properties: {
      entity: entityName, event_type: eventType,
      rows: {
        type: 'array', minItems: 1,
        description: 'At most 10,000 (413).',
        items: {
          type: 'object', additionalProperties: false, required: ['external_id', 'properties'],
          properties: {
            external_id: { type: 'string', minLength: 1, maxLength: eventBounds.externalId, pattern: plainText },
            properties: freeObject,
          },
        },
      },
    },
  } as const,
  form: {
    fields: {
      type: 'object',
      additionalProperties: false,
      required: ['entity'],
      properties: {
        entity: entityName, event_type: eventType,
        mapping: {
          type: 'string',
          description: 'JSON: `{"external_id": "<column>", "properties": {"<name>": "<column>"}}`; without `properties` all other '
            + 'columns under their names. Default: the column `external_id`, and all others; of jsonl: `{external_id, properties}`.',
        },
        delimiter: { type: 'string', description: 'Between cells of a CSV file: one character. Default: a comma.' },
      },
    } as const,
    files: { file: { description: 'csv or jsonl.', maxBytes: importLimits.fileBytes, required: true } },
  },
  answers: { 202: { description: 'The rows are stored and run soon; `held` while the connector is paused.', schema: job } },
  errors: [
    'connector_not_found', 'connector_not_published', 'org_suspended', 'org_closing', 'quota_exceeded', 'payload_too_large',
    'service_unavailable',
  ],
  examples: [{
    title: 'Two rows',
    body: {
      entity: 'customer',
      rows: [
        { external_id: 'C-1', properties: { email: 'ada@shop.example', name: 'Ada' } },
        { external_id: 'C-2', properties: { email: 'bo@shop.example', name: 'Bo' } },
      ],
    },
  }],
});

export const listBulkImports = defineRoute({
  ...route,
  name: 'list_bulk_imports', method: 'get', path, summary: 'Bulk imports, newest first',
  params: connectorParams, query: jobListQuery,
  answers: { 200: { description: 'The imports.', schema: jobListOf(job) } },
  errors: ['connector_not_found'],
});

export const getBulkImport = defineRoute({
  ...route,
  name: 'get_bulk_import', method: 'get', path: `${path}/:import_id`, summary: 'Read a bulk import', params,
  answers: { 200: { description: 'The import.', schema: job } },
  errors: [...found],
});

export const listBulkImportRows = defineRoute({
  ...route,
  name: 'list_bulk_import_rows', method: 'get', path: `${path}/:import_id/rows`, summary: 'Rows of a bulk import, by line',
  params, query: jobRowsQuery(importRowStatuses),
  answers: { 200: { description: 'A page of rows.', schema: jobRowsOf(row) } },
  errors: [...found],
});

export const cancelBulkImport = defineRoute({
  ...route,
  name: 'cancel_bulk_import', method: 'post', path: `${path}/:import_id/cancel`, summary: 'Stop a bulk import',
  description: 'Rows that have begun end; no other begins after the answer. Those are `skipped`, `cancelled`.',
  audit: { action: 'bulk_import.cancel', target: 'bulk_import', param: 'import_id' },
  params,
  answers: { 200: { description: 'The import.', schema: job } },
  errors: [...cancelErrors],
});

export const retryBulkImport = defineRoute({
  ...route,
  name: 'retry_bulk_import', method: 'post', path: `${path}/:import_id/retry`, summary: 'Run the failed rows again',
  description: [
    'Failed and parked rows, by the version that is active now; rows that cannot be read and quarantined ones stay as they are. They',
    'keep their age: what was accepted after the import is not overwritten.',
  ].join(' '),
  audit: { action: 'bulk_import.retry', target: 'bulk_import', param: 'import_id' },
  params,
  answers: { 202: { description: 'The import, which runs again.', schema: job } },
  errors: [...found, 'connector_not_published', 'job_running', 'nothing_to_retry', 'org_suspended', 'org_closing'],
});
