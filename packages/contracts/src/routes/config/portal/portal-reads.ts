import { defineRoute } from '../../../http/route';
import { connectorParams, idText, nullableText, pageOf } from '../shared';

const objectType = {
  type: 'string', minLength: 1, maxLength: 128,
  description: 'A standard name such as `deals`, `p<portalId>_<name>` or a type id.',
} as const;

/** The portal to read, and the part of the list. The CRM bounds these lists: all entries are returned by default. */
const query = {
  type: 'object',
  additionalProperties: false,
  properties: {
    credential_id: { ...idText, description: 'Another CRM credential of the organization, in place of the bound portal.' },
    limit: { type: 'integer', minimum: 1, maximum: 2_000 },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
  },
} as const;

const typedParams = {
  type: 'object', required: ['connector_id', 'object_type'],
  properties: { ...connectorParams.properties, object_type: objectType },
} as const;

const pairParams = {
  type: 'object', required: ['connector_id', 'from_object_type', 'to_object_type'],
  properties: { ...connectorParams.properties, from_object_type: objectType, to_object_type: objectType },
} as const;

const common = {
  method: 'get',
  tag: 'Portal binding',
  auth: 'config',
  query,
  errors: [
    'connector_not_found', 'Credential not found', 'credential_not_crm_oauth', 'crm_portal_not_bound', 'crm_unavailable',
    'crm_object_type_unknown', 'credential_refresh_busy',
  ],
} as const;

const description =
  'Of the bound portal, or of the portal of `credential_id`. Answers are cached for some seconds (`SLUICE_CRM_READ_CACHE`).';

export const listCrmProperties = defineRoute({
  ...common,
  name: 'list_crm_properties',
  path: '/api/connectors/:connector_id/crm-properties/:object_type',
  summary: 'List the properties of an object type on the portal',
  description,
  params: typedParams,
  answers: {
    200: {
      description: 'The properties, in the portal\'s order.',
      schema: pageOf({
        type: 'object', required: ['name', 'label', 'type', 'field_type', 'group', 'options', 'unique', 'read_only'],
        properties: {
          name: { type: 'string' }, label: { type: 'string' }, type: { type: 'string' }, field_type: { type: 'string' },
          group: nullableText, unique: { type: 'boolean' }, read_only: { type: 'boolean' },
          options: {
            type: 'array',
            items: {
              type: 'object', required: ['value', 'label'], properties: { value: { type: 'string' }, label: { type: 'string' } },
            },
          },
        },
      }),
    },
  },
});

export const listCrmPipelines = defineRoute({
  ...common,
  name: 'list_crm_pipelines',
  path: '/api/connectors/:connector_id/crm-pipelines/:object_type',
  summary: 'List the pipelines of an object type on the portal, with their stages',
  description,
  params: typedParams,
  answers: {
    200: {
      description: 'The pipelines, in the portal\'s order.',
      schema: pageOf({
        type: 'object', required: ['id', 'label', 'stages'],
        properties: {
          id: { type: 'string' }, label: { type: 'string' },
          stages: {
            type: 'array',
            items: {
              type: 'object', required: ['id', 'label', 'probability', 'closed'],
              properties: {
                id: { type: 'string' }, label: { type: 'string' }, probability: { type: ['number', 'null'] },
                closed: { type: ['boolean', 'null'], description: 'null: the CRM does not say.' },
              },
            },
          },
        },
      }),
    },
  },
});

export const listCrmAssociationTypes = defineRoute({
  ...common,
  name: 'list_crm_association_types',
  path: '/api/connectors/:connector_id/crm-association-types/:from_object_type/:to_object_type',
  summary: 'List the association types from one object type to another on the portal',
  description,
  params: pairParams,
  answers: {
    200: {
      description: 'Empty where the portal defines none.',
      schema: pageOf({
        type: 'object', required: ['type_id', 'category', 'label'],
        properties: { type_id: { type: 'integer' }, category: { type: 'string' }, label: nullableText },
      }),
    },
  },
});
