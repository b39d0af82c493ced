import type { FromSchema } from 'json-schema-to-ts';
import { defineSource } from '../define-source';
import type { SourceConfigSchema } from '../field-schema';
import { requestFields } from '../shared/request-fields';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['base_url'],
  properties: {
    base_url: { type: 'string', minLength: 1, maxLength: 2048, 'x-holds': 'url', description: 'Base of every path.' },
    ...requestFields,
    dry_run_response: {
      type: 'object',
      additionalProperties: false,
      description: 'What a dry run takes for the answer.',
      properties: {
        status: { type: 'integer', minimum: 100, maximum: 599, default: 200, description: 'HTTP status.' },
        body: { description: 'Any JSON.' },
        headers: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string' }, description: 'Headers.' },
      },
    },
  },
} as const satisfies SourceConfigSchema;

export type RestConfig = FromSchema<typeof configSchema, { keepDefaultedPropertiesOptional: true }>;

/** An external REST API that flows send to (docs/reference/config-document.md, Sources). */
export const rest = defineSource<RestConfig>()({
  type: 'rest',
  title: 'REST API',
  description: 'An external REST API that flows send to. No events come from it.',
  push: false,
  direction: 'outbound',
  runtime: { by: 'flows' },
  defaultEventType: null,
  configSchema,
  limits: [],
  checks: [],
  examples: [
    {
      title: 'An ERP with a key in a header',
      config: {
        base_url: 'https://erp.example.com/api', credential_name: 'erp', auth_type: 'header', auth_header: 'X-ERP-Key',
        default_headers: { Accept: 'application/json' }, dry_run_response: { status: 201, body: { id: 'dry-run' } },
      },
    },
  ],
});
