import type { FromSchema } from 'json-schema-to-ts';
import { defineSource, type CheckedSource, type SourceProblem } from '../define-source';
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
        + 'or an s3:// prefix. Absent: files are uploaded.',
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
  checks: [atMostOneOf('event_type', 'event_type_path'), delimiterIsOfCsv],
  examples: [
    {
      title: 'Customers as csv',
      config: { format: 'csv', delimiter: ';', encoding: 'windows-1252', external_id_path: '$.number' },
    },
    {
      title: 'A folder that is watched',
      config: { format: 'jsonl', location: 's3://exports/orders/', external_id_path: '$.id' },
    },
  ],
});

function delimiterIsOfCsv({ config: { format, delimiter } }: CheckedSource<FileConfig>): SourceProblem[] {
  if (delimiter === undefined || format === undefined || format === 'csv') return [];
  return [{ code: 'value_error', path: ['delimiter'], message: `'delimiter' has a meaning for csv only`, input: delimiter }];
}
