import type { FromSchema } from 'json-schema-to-ts';
import { defineSource, type SourceProblem } from '../define-source';
import type { CheckedSource } from '../checked-source';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';
import { atMostOneOf } from '../shared/one-of-fields';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    format: {
      type: 'string', enum: ['csv', 'jsonl', 'json'], default: 'csv',
      description: 'csv with a heading line, one JSON object per line, or one JSON list.',
    },
    delimiter: { type: 'string', minLength: 1, maxLength: 1, default: ',', description: 'Between the fields of a csv line.' },
    encoding: {
      type: 'string', minLength: 1, maxLength: 40, 'x-holds': 'encoding', default: 'utf-8',
      description: 'Text encoding of the files.',
    },
    location: {
      type: 'string', minLength: 1, maxLength: 1024, 'x-holds': 'location',
      description:
        'Folder that is watched, below that of the organization (<SLUICE_FILE_ROOT>/<organization id>), relative to it or absolute; '
        + 'or s3://<bucket>/<prefix>. Absent: files are uploaded.',
    },
    credential_name: {
      type: 'string', maxLength: 128, 'x-holds': 'login_name',
      description: 'For an s3:// location: name of a login whose username is the access key id and whose password is the secret key.',
    },
    region: {
      type: 'string', minLength: 1, maxLength: 40, pattern: '^[a-z0-9-]+$', default: 'us-east-1',
      description: 'For an s3:// location: region of the bucket.',
    },
    endpoint: {
      type: 'string', minLength: 1, maxLength: 2048, 'x-holds': 'url',
      description: 'For an s3:// location: URL of an S3-compatible service. Absent: AWS in the region.',
    },
    ...eventFields,
  },
} as const satisfies SourceConfigSchema;

export type FileConfig = FromSchema<typeof configSchema, { keepDefaultedPropertiesOptional: true }>;

/** Files of rows (docs/reference/config-document.md, Sources). */
export const file = defineSource<FileConfig>()({
  type: 'file',
  title: 'File',
  description: 'Files that are uploaded or dropped into a folder; one event per row.',
  push: true,
  direction: 'inbound',
  runtime: { by: 'files' },
  defaultEventType: 'row',
  configSchema,
  limits: [],
  checks: [atMostOneOf('event_type', 'event_type_path'), delimiterIsOfCsv, bucketFieldsAreOfBuckets],
  examples: [
    {
      title: 'Customers as csv',
      config: { format: 'csv', delimiter: ';', encoding: 'windows-1252', external_id_path: '$.number' },
    },
    {
      title: 'A folder that is watched',
      config: { format: 'jsonl', location: 'orders', external_id_path: '$.id' },
    },
    {
      title: 'A prefix of an S3 bucket that is watched',
      config: {
        format: 'jsonl', location: 's3://exports/orders/', credential_name: 'bucket reader', region: 'eu-central-1',
        external_id_path: '$.id',
      },
    },
  ],
});

function delimiterIsOfCsv({ config: { format, delimiter } }: CheckedSource<FileConfig>): SourceProblem[] {
  if (delimiter === undefined || format === undefined || format === 'csv') return [];
  return [{ code: 'value_error', path: ['delimiter'], message: `'delimiter' has a meaning for csv only`, input: delimiter }];
}

/** Fields that say how a bucket is reached. */
const bucketFields = ['credential_name', 'region', 'endpoint'] as const;

function bucketFieldsAreOfBuckets({ config }: CheckedSource<FileConfig>): SourceProblem[] {
  if (config.location?.startsWith('s3://')) return [];
  return bucketFields.filter((field) => (config[field] ?? null) !== null).map((field) => ({
    code: 'value_error', path: [field], message: `'${field}' has a meaning for an s3:// location only`, input: config[field],
  }));
}
