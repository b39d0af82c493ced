import { defineRoute } from '../../route';
import { bodyLimits, connectorParams, deleted, nullableText } from './shared';

const common = { tag: 'Identity', auth: 'config', params: connectorParams } as const;

const entityType = { type: 'string', minLength: 1, maxLength: 128, description: 'Name of an entity of the config.' } as const;
const externalId = { type: 'string', minLength: 1, maxLength: 1024 } as const;

const adoptionStatuses = ['adopted', 'already_mapped', 'not_found', 'ambiguous', 'identity_conflict'] as const;

export const adoptRecord = defineRoute({
  ...common,
  name: 'adopt_record',
  method: 'post',
  path: '/api/connectors/:connector_id/identity/adopt',
  audit: { action: 'identity.adopt', target: 'connector', param: 'connector_id' },
  summary: 'Give a record that is on the portal already an external id',
  description:
    'Finds the record whose `match_property` has `match_value`, writes `external_id` into the identity property of the ' +
    'entity, and saves the mapping. For companies, contacts and deals. The entity is one of the active version, before the ' +
    'first publish of the draft. `adopted`: done. `already_mapped`: the external id leads to `crm_id`; nothing was looked ' +
    'at. `not_found`, `ambiguous`: none or several records match. `identity_conflict`: the record has another identity, or ' +
    'another record has this one; `crm_id` is the conflicting record. Only `adopted` changes anything.',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['entity_type', 'match_property', 'match_value', 'external_id'],
    additionalProperties: false,
    properties: {
      entity_type: entityType,
      match_property: { type: 'string', minLength: 1, maxLength: 128 },
      match_value: { type: 'string', minLength: 1, maxLength: 1024 },
      external_id: externalId,
    },
  } as const,
  answers: {
    200: {
      description: 'The result.',
      schema: {
        type: 'object', required: ['status', 'crm_id', 'entity_type', 'object_type', 'external_id', 'message', 'candidates'],
        properties: {
          status: { type: 'string', enum: [...adoptionStatuses] },
          crm_id: nullableText, entity_type: { type: 'string' }, object_type: { type: 'string' },
          external_id: { type: 'string' }, message: nullableText,
          candidates: { type: 'array', items: { type: 'string' }, description: 'Of `ambiguous`: up to ten ids.' },
        },
      },
    },
  },
  errors: ['connector_not_found', 'crm_portal_not_bound', 'crm_unavailable', 'binding_changed', 'Credential not found'],
  examples: [
    {
      title: 'A company found by its domain',
      body: { entity_type: 'company', match_property: 'domain', match_value: 'shop.example', external_id: 'K-17' },
    },
  ],
});

export const countIdentityMappings = defineRoute({
  ...common,
  name: 'count_identity_mappings',
  method: 'get',
  path: '/api/connectors/:connector_id/identity-mappings/count',
  summary: 'Count the identity mappings of a connector, or of one entity',
  query: { type: 'object', additionalProperties: false, properties: { entity_type: entityType } } as const,
  answers: {
    200: {
      description: 'How many there are.',
      schema: { type: 'object', required: ['count'], properties: { count: { type: 'integer', minimum: 0 } } },
    },
  },
  errors: ['connector_not_found'],
});

export const removeIdentityMapping = defineRoute({
  ...common,
  name: 'remove_identity_mapping',
  method: 'delete',
  path: '/api/connectors/:connector_id/identity-mappings/record',
  audit: { action: 'identity.remove', target: 'connector', param: 'connector_id' },
  summary: 'Remove one identity mapping; the next write for the external id looks the record up from scratch',
  query: {
    type: 'object', required: ['entity_type', 'external_id'], additionalProperties: false,
    properties: { entity_type: entityType, external_id: externalId },
  } as const,
  answers: { 204: deleted },
  errors: ['connector_not_found', 'Not Found'],
});
