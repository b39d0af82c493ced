import { packageCategories } from '../../../data-package/package-files';
import { defineRoute } from '../../../http/route';
import { bodyLimits, idText, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

const exportParams = { type: 'object', required: ['export_id'], properties: { export_id: idText } } as const;

const properties = {
  id: uuid,
  scope: { type: 'string', enum: ['organization', 'connector'] },
  connector_id: { type: ['string', 'null'], format: 'uuid' },
  status: { type: 'string', enum: ['queued', 'running', 'completed', 'failed', 'expired'] },
  requested_by: { type: 'string', description: 'The owner\'s address, or `api-key:<label>`.' },
  created_at: timestamp,
  started_at: nullableTimestamp,
  completed_at: nullableTimestamp,
  expires_at: { ...nullableTimestamp, description: 'The package is deleted then.' },
  size_bytes: { type: ['integer', 'null'], minimum: 0 },
  error: {
    ...nullableText,
    enum: ['export_failed', 'scope_not_found', 'organization_closed', null],
    description: 'Why it failed: three attempts failed, its connector was deleted, or the organization was closed.',
  },
  categories: { type: 'array', items: { type: 'string', enum: packageCategories }, description: 'Of the finished package.' },
  progress: {
    type: 'object',
    additionalProperties: false,
    required: ['done', 'total'],
    properties: { done: { type: 'integer', minimum: 0 }, total: { type: 'integer', minimum: 0 } },
    description: 'Rows. The total is an estimate until the package is finished.',
  },
} as const;

const dataExport = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties) as (keyof typeof properties)[],
  properties,
} as const;

const tag = 'Data export';

export const createDataExport = defineRoute({
  name: 'create_data_export',
  method: 'post',
  path: '/api/data-exports',
  tag,
  auth: 'owner_or_key',
  audit: { action: 'data_export.request', target: 'data_export' },
  summary: 'Ask for a package of all data of the organization, or of one connector',
  description: [
    'It is prepared in the background, usually within a minute. One of a scope is prepared at a time (409, with its',
    '`export_id`), ten may be asked for within 24 hours (429), failed ones too. Where a key asks, the owners get a mail.',
  ].join(' '),
  body: {
    type: 'object',
    additionalProperties: false,
    properties: { connector_id: { ...idText, type: ['string', 'null'], description: 'Absent or null: the whole organization.' } },
  } as const,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  answers: { 202: { description: 'The export, `queued`.', schema: dataExport } },
  errors: ['connector_not_found', 'data_export_in_progress', 'data_export_limit_reached', 'data_export_unavailable'],
  examples: [{ title: 'Everything', body: {} }],
});

export const listDataExports = defineRoute({
  name: 'list_data_exports',
  method: 'get',
  path: '/api/data-exports',
  tag,
  auth: 'owner_or_key',
  summary: 'The 20 most recent exports, newest first',
  answers: {
    200: {
      description: 'They.',
      schema: {
        type: 'object', additionalProperties: false, required: ['exports'],
        properties: { exports: { type: 'array', items: dataExport, maxItems: 20 } },
      },
    },
  },
  errors: [],
});

export const getDataExport = defineRoute({
  name: 'get_data_export',
  method: 'get',
  path: '/api/data-exports/:export_id',
  tag,
  auth: 'owner_or_key',
  summary: 'One export',
  params: exportParams,
  answers: { 200: { description: 'The export.', schema: dataExport } },
  errors: ['Not Found'],
});

export const createDataExportLink = defineRoute({
  name: 'create_data_export_link',
  method: 'get',
  path: '/api/data-exports/:export_id/download',
  tag,
  auth: 'owner_or_key',
  audit: { action: 'data_export.link', target: 'data_export', param: 'export_id', read: true },
  summary: 'A link to the package of a completed export, for a short time and without a sign-in',
  params: exportParams,
  answers: {
    200: {
      description: 'The link. A new one can be had as long as the package is kept.',
      schema: {
        type: 'object', additionalProperties: false, required: ['url', 'filename', 'expires_in_seconds'],
        properties: {
          url: { type: 'string', format: 'uri' },
          filename: { type: 'string' },
          expires_in_seconds: { type: 'integer', minimum: 1 },
        },
      },
    },
  },
  errors: ['Not Found', 'data_export_not_ready', 'data_export_expired', 'data_export_failed', 'data_export_unavailable'],
});

export const downloadDataExport = defineRoute({
  name: 'download_data_export',
  method: 'get',
  path: '/api/data-exports/:export_id/package',
  tag,
  auth: 'none',
  audit: { action: 'data_export.download', target: 'data_export', param: 'export_id', read: true },
  summary: 'The package of an export, by a link of `GET /api/data-exports/{id}/download`',
  description: 'Whoever has the link may use it until it expires. A changed link is refused.',
  params: exportParams,
  query: {
    type: 'object',
    additionalProperties: true,
    properties: {
      expires: { type: 'string', description: 'As the link has it.' },
      signature: { type: 'string', description: 'As the link has it.' },
    },
  } as const,
  answers: { 200: { description: 'A ZIP archive.', stream: 'file', contentType: 'application/zip' } },
  errors: ['link_invalid', 'link_expired', 'data_export_expired', 'data_export_unavailable'],
});
