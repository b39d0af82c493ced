import { done, failed, permanent, type Outcome } from '@sluice/flow-engine';
import type { TargetFailure } from '@sluice/ports';
import type { StepRule } from '../action-definition';
import { overLimit } from '../action-limit';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { fileNameOf } from '../shared/file-names';
import { headersField, restTargetField, urlField } from '../shared/rest-fields';
import { stepHeaders } from '../shared/step-headers';
import { contentTypes, formatRows } from './format-rows';
import { fileLimit, filenameLimit, savedLimit, urlLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['rows'],
  properties: {
    rows: { type: 'string', 'x-resolve': 'list', description: 'Reference to the rows: a list of an earlier step of this flow.' },
    format: { type: 'string', enum: ['csv', 'jsonl', 'json'], default: 'csv', description: 'Format of the file.' },
    columns: {
      type: 'array',
      minItems: 1,
      description: 'Columns of the file; without them every field of the rows.',
      items: {
        type: 'object',
        required: ['name', 'source'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, description: 'Name of the column.' },
          source: { type: 'string', 'x-resolve': 'each', description: 'Its value, read per row as $._item.' },
        },
      },
    },
    filename: {
      type: 'string',
      minLength: 1,
      'x-resolve': 'template',
      description: 'Name of the file; default: export and the format.',
    },
    target: { ...restTargetField, description: 'Source of type rest that gets the file; without it the object store keeps it.' },
    url: urlField,
    method: { type: 'string', enum: ['PUT', 'POST'], default: 'PUT', description: 'Method of the request to target.' },
    headers: headersField,
  },
} as const satisfies StepFieldsSchema;

const rowsOfAnEarlierStep: StepRule = {
  fields: ['rows'],
  message: `rows of export_file must name an earlier step of the flow, as in '$query.rows'`,
  find: ({ step: { id, rows }, flow }) => {
    if (typeof rows !== 'string') return [];
    const named = /^\$([A-Za-z_][\w-]*)[.[]/.exec(rows)?.[1];
    const steps = flow.steps.slice(0, flow.steps.findIndex((other) => other?.id === id));
    if (named !== undefined && steps.some((other) => other?.id === named)) return [];
    return [{ path: ['rows'], type: 'value_error', msg: rowsOfAnEarlierStep.message, input: rows }];
  },
};

/** Writes rows to a file (docs/reference/steps-and-actions.md, files and forms). */
export const exportFile = defineAction(configSchema)({
  name: 'export_file',
  title: 'Export file',
  description: 'Writes the rows of an earlier step to a file, which is kept or sent to a REST destination.',
  category: 'files',
  min_version: '3.0',
  effect: 'write',
  uses: ['exports', 'rest'],
  on_repeat: 'Writes the same file again; a destination gets it again, with the same Idempotency-Key.',
  repeat: 'again',
  required_checks: [
    { fields: ['rows'], message: 'export_file requires rows', mode: 'all', equals: null },
    { fields: ['target', 'url'], message: 'export_file with target requires url', mode: 'requires', equals: null },
    { fields: ['url', 'target'], message: 'export_file with url requires target', mode: 'requires', equals: null },
  ],
  limits: [savedLimit('columns', 500, 'columns'), filenameLimit, urlLimit, fileLimit],
  rules: [rowsOfAnEarlierStep],
  examples: [
    {
      title: 'The rows of a query as CSV',
      config: {
        rows: '$find.rows',
        columns: [{ name: 'E-mail', source: '$._item.properties.email' }],
        filename: 'contacts-{$.payload.day}.csv',
      },
      given: {
        entities: [],
        payload: { day: '2026-01-01' },
        outputs: { find: { rows: [{ properties: { email: 'ada@example.com' } }] } },
      },
      expect: {
        kind: 'done',
        output: {
          file_id: 'exports/it/contacts-2026-01-01.csv',
          filename: 'contacts-2026-01-01.csv',
          rows: 1,
          bytes: 25,
          url: null,
        },
      },
    },
    {
      title: 'Sent to a partner as JSON lines',
      config: { rows: '$find.rows', format: 'jsonl', target: 'partner', url: '/inbox/contacts.jsonl' },
      given: {
        entities: [],
        payload: {},
        outputs: { find: { rows: [{ crm_id: '501', properties: { email: 'ada@example.com' } }] } },
        answers: [{ status: 201 }],
      },
      expect: {
        kind: 'done',
        output: { file_id: null, filename: 'export.jsonl', rows: 1, bytes: 58, url: '/inbox/contacts.jsonl' },
      },
      requests: [
        {
          target: 'partner',
          method: 'PUT',
          url: '/inbox/contacts.jsonl',
          headers: { 'content-type': 'application/x-ndjson' },
          body: '{"crm_id":"501","properties":{"email":"ada@example.com"}}\n',
        },
      ],
    },
    {
      title: 'Rows of a step that did not run: no file is made',
      config: { rows: '$find.rows', format: 'json' },
      given: { entities: [], payload: {}, outputs: { find: {} } },
      expect: { kind: 'done', output: { file_id: null, rows: 0, skipped: true, reason: 'no_rows' } },
    },
  ],
  touches: () => ({ writes: [], reads: [] }),
  run: async ({ config, stepId, ports }) => {
    const { rows, format = 'csv', target, url } = config;
    const filename = config.filename === undefined ? `export.${format}` : fileNameOf(config.filename);
    if (filename === null) return permanent('mapping_failed', 'export_file: filename resolves to nothing');
    if (rows === null) return done({ ...nothing, filename, skipped: true, reason: 'no_rows' });
    const columns = config.columns?.map(({ name, source }) => ({ name, valueOf: source })) ?? null;
    const text = formatRows(rows, format, columns);
    const bytes = Buffer.from(text);
    if (bytes.length > ports.exports.maxBytes)
      return permanent('file_too_large', overLimit('export_file', { ...fileLimit, max: ports.exports.maxBytes }));
    const output = { ...nothing, filename, rows: rows.length, bytes: bytes.length };
    if (target === undefined || url === undefined) {
      const kept = await ports.exports.keep({ filename, bytes, stepId });
      return kept.ok ? done({ ...output, file_id: kept.value.file_id }, { wrote: true }) : failed(kept);
    }
    const headers = { 'content-type': contentTypes[format], ...lowerCase(stepHeaders(config.headers)) };
    const body = format === 'json' ? (JSON.parse(text) as unknown) : text;
    const sent = await ports.rest.send({ target, method: config.method ?? 'PUT', url, headers, body, stepId });
    return sent.ok ? done({ ...output, url }, { wrote: true }) : notSent(sent);
  },
});

const nothing = { file_id: null, filename: null, rows: 0, bytes: 0, url: null };

/** Names of headers as they are compared: one that the step sets replaces ours. */
const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const notSent = ({ ok: _, status: __, ...failure }: TargetFailure): Outcome => failed(failure);
