import { defineRoute } from '../../../http/route';
import { draftPartParams } from '../drafts/draft-parts';
import { idText, nullableText, nullableTimestamp, pageOf, pageQuery, timestamp, uuid } from '../shared';

const status = { type: 'string', enum: ['received', 'processing', 'completed', 'failed'] } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Bytes of an uploaded file at most. */
const sourceFileBytes = 2 * 1024 * 1024 * 1024;

const fileSchema = {
  type: 'object',
  required: [
    'id', 'filename', 'status', 'bytes', 'rows_total', 'rows_queued', 'rows_discarded', 'error', 'received_at', 'completed_at',
  ],
  properties: {
    id: uuid, filename: { type: 'string' }, status, bytes: count,
    rows_total: { ...count, description: 'Rows read so far, without the heading line.' },
    rows_queued: count, rows_discarded: count,
    error: { ...nullableText, description: 'Why it failed.' },
    received_at: timestamp, completed_at: nullableTimestamp,
  },
} as const;

const fileParams = {
  type: 'object', required: ['connector_id', 'name', 'file_id'],
  properties: { ...draftPartParams.properties, file_id: idText },
} as const;

const files = '/api/connectors/:connector_id/sources/:name/files';

export const uploadSourceFile = defineRoute({
  name: 'upload_source_file', method: 'post', path: files, tag: 'Sources', auth: 'config',
  audit: { action: 'source.upload_file', target: 'connector', param: 'connector_id' },
  summary: 'Upload a file for a source of type file; its rows become events',
  description: 'The same name and content again answer with the first file, and nothing is queued again. While the connector is '
    + 'paused, the file is kept.',
  params: draftPartParams,
  form: {
    fields: { type: 'object', additionalProperties: false, properties: {} },
    files: { file: { description: 'CSV, JSON Lines or JSON, as the source says.', maxBytes: sourceFileBytes, required: true } },
  },
  answers: {
    202: {
      description: 'It is stored, and read as soon as possible.',
      schema: { type: 'object', required: ['file_id', 'status'], properties: { file_id: uuid, status } },
    },
  },
  errors: [
    'connector_not_found', 'source_takes_no_files', 'source_disabled', 'attachment_store_unavailable', 'payload_too_large',
    'Not Found',
  ],
});

export const listSourceFiles = defineRoute({
  name: 'list_source_files', method: 'get', path: files, tag: 'Sources', auth: 'config',
  summary: 'List the files of a source, newest first', params: draftPartParams, query: pageQuery,
  answers: { 200: { description: 'The files.', schema: pageOf(fileSchema) } },
  errors: ['connector_not_found', 'source_takes_no_files', 'Not Found'],
});

export const getSourceFile = defineRoute({
  name: 'get_source_file', method: 'get', path: `${files}/:file_id`, tag: 'Sources', auth: 'config',
  summary: 'Read what became of a file, with the rows that were discarded', params: fileParams,
  answers: {
    200: {
      description: 'The file, and the first 10,000 rows that were discarded.',
      schema: {
        ...fileSchema,
        required: [...fileSchema.required, 'discarded'],
        properties: {
          ...fileSchema.properties,
          discarded: {
            type: 'array',
            items: {
              type: 'object', required: ['line', 'reason'],
              properties: {
                line: { ...count, description: 'Where the row begins in the file, from 1.' }, reason: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
  errors: ['connector_not_found', 'Not Found'],
});
