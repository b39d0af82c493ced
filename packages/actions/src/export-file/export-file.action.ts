import type { StepCheck } from '../action-definition';
import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { headersField, restTargetField, urlField } from '../shared/rest-fields';

const configSchema = {
  type: 'object',
  required: ['rows'],
  properties: {
    rows: { type: 'string', 'x-resolve': 'list', description: 'Reference to the rows: a list of an earlier step of this flow.' },
    format: { type: 'string', enum: ['csv', 'jsonl', 'json'], default: 'csv', description: 'Format of the file.' },
    columns: {
      type: 'array',
      minItems: 1,
      maxItems: 500,
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
    filename: { type: 'string', minLength: 1, maxLength: 256, 'x-resolve': 'template', description: 'Name of the file.' },
    target: { ...restTargetField, description: 'Source of type rest that gets the file; without it the object store keeps it.' },
    url: urlField,
    method: { type: 'string', enum: ['PUT', 'POST'], default: 'PUT', description: 'Method of the request to target.' },
    headers: headersField,
  },
} as const satisfies StepFieldsSchema;

const rowsComeFromAnEarlierStep: StepCheck = ({ step: { id, rows }, flow }) => {
  if (typeof rows !== 'string') return [];
  const named = /^\$([A-Za-z_][\w-]*)[.[]/.exec(rows)?.[1];
  const steps = flow.steps.slice(0, flow.steps.findIndex((other) => other?.id === id));
  if (named !== undefined && steps.some((other) => other?.id === named)) return [];
  const msg = `rows of export_file must name an earlier step of the flow, as in '$query.rows'`;
  return [{ path: ['rows'], type: 'value_error', msg, input: rows }];
};

/** Writes rows to a file (docs/reference/steps-and-actions.md, files and forms). */
export const exportFile = describeAction(configSchema)({
  name: 'export_file',
  title: 'Export file',
  description: 'Writes the rows of an earlier step to a file, which is kept or sent to a REST destination.',
  category: 'files',
  min_version: '3.0',
  required_checks: [
    { fields: ['rows'], message: 'export_file requires rows', mode: 'all', equals: null },
    { fields: ['target', 'url'], message: 'export_file with target requires url', mode: 'requires', equals: null },
    { fields: ['url', 'target'], message: 'export_file with url requires target', mode: 'requires', equals: null },
  ],
  limits: [],
  checks: [rowsComeFromAnEarlierStep],
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
    },
    {
      title: 'Sent to a partner as JSON lines',
      config: { rows: '$find.rows', format: 'jsonl', target: 'partner', url: '/inbox/contacts.jsonl' },
      given: { entities: [], payload: {}, outputs: { find: { rows: [] } } },
    },
  ],
});
