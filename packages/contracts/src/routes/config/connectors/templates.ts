import { defineRoute } from '../../../http/route';
import { createdConnectorSchema } from './connector-schema';
import { bodyLimits, freeObject, idText, nameText, pageOf, pageQuery } from '../shared';

const summaryFields = {
  id: { type: 'string' },
  name: { type: 'string' },
  description: { type: 'string' },
  config_version: { type: 'string' },
  sources: {
    type: 'array',
    items: { type: 'object', required: ['name', 'type'], properties: { name: { type: 'string' }, type: { type: 'string' } } },
  },
  event_types: { type: 'array', items: { type: 'string' } },
  object_types: { type: 'array', items: { type: 'string' } },
} as const;
const summaryNames = ['id', 'name', 'description', 'config_version', 'sources', 'event_types', 'object_types'] as const;

const templateParams = {
  type: 'object', required: ['template_id'], properties: { template_id: idText },
} as const;

export const listTemplates = defineRoute({
  name: 'list_templates', method: 'get', path: '/api/v1/templates', tag: 'Templates', auth: 'config',
  summary: 'List templates', query: pageQuery,
  answers: {
    200: {
      description: 'Configs to start from, the same for every organization.',
      schema: pageOf({ type: 'object', required: summaryNames, properties: summaryFields }),
    },
  },
  errors: [],
});

export const getTemplate = defineRoute({
  name: 'get_template', method: 'get', path: '/api/v1/templates/:template_id', tag: 'Templates', auth: 'config',
  summary: 'Read a template with its config', params: templateParams,
  answers: {
    200: {
      description: 'The template. `sample_events` are bodies for `POST /api/v1/events` that show what it does.',
      schema: {
        type: 'object',
        required: [...summaryNames, 'config', 'sample_events'],
        properties: { ...summaryFields, config: freeObject, sample_events: { type: 'array', items: freeObject } },
      },
    },
  },
  errors: ['Not Found'],
});

export const createFromTemplate = defineRoute({
  name: 'create_connector_from_template',
  method: 'post',
  path: '/api/v1/connectors/from-template/:template_id',
  tag: 'Templates',
  auth: 'config',
  audit: { action: 'connector.create', target: 'connector' },
  summary: 'Create a connector whose draft is a template',
  description:
    'The draft is the template; publish it to run it. Connector and source limits are checked before anything is created.',
  params: templateParams,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: { name: nameText, create_api_key: { type: 'boolean', default: false }, api_key_label: nameText },
  } as const,
  answers: { 201: { description: 'The connector; `api_key` when one was asked for.', schema: createdConnectorSchema } },
  errors: ['Not Found', 'connector_limit_reached', 'api_key_limit_reached', 'event_source_limit_reached', 'email_not_verified'],
  examples: [{ title: 'With a key', body: { name: 'Shop', create_api_key: true, api_key_label: 'shop backend' } }],
});
