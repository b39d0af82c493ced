import { restoredMappings } from '../../../jobs/restored-mappings';
import { defineRoute } from '../../../http/route';
import { bodyLimits, connectorParams, deleted, nullableText } from '../shared';

const common = { tag: 'Identity', auth: 'config', params: connectorParams } as const;

const entityType = { type: 'string', minLength: 1, maxLength: 128, description: 'Name of an entity of the config.' } as const;
const externalId = { type: 'string', minLength: 1, maxLength: 1024 } as const;

/** Text that the database stores: no NUL, no half of a surrogate pair. */
const plainText = '^[^\\u0000\\uD800-\\uDFFF]*$';

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
  errors: [
    'connector_not_found', 'crm_portal_not_bound', 'crm_unavailable', 'binding_changed', 'Credential not found',
    'credential_refresh_busy',
  ],
  examples: [
    {
      title: 'A company found by its domain',
      body: { entity_type: 'company', match_property: 'domain', match_value: 'shop.example', external_id: 'K-17' },
    },
  ],
});

const restored = { type: 'object', additionalProperties: false, required: ['entity_type', 'external_id', 'crm_id'] } as const;

export const restoreIdentityMappings = defineRoute({
  ...common,
  auth: 'owner_or_key',
  name: 'restore_identity_mappings',
  method: 'post',
  path: '/api/connectors/:connector_id/identity-mappings',
  audit: { action: 'identity.restore', target: 'connector', param: 'connector_id' },
  summary: 'Save identity mappings as a data export has them',
  description: [
    'Nothing is read from the CRM or written there, and no mapping that is there is changed: a request may be repeated.',
    'The connector must be bound to the portal that the records are of (422 at `portal_id`); the entities are those of the',
    'active version, before the first publish of the draft.',
  ].join(' '),
  bodyLimit: restoredMappings.bytes,
  body: {
    type: 'object',
    required: ['portal_id', 'mappings'],
    additionalProperties: false,
    properties: {
      portal_id: { type: 'string', minLength: 1, maxLength: 32, description: 'The portal of the records.' },
      mappings: {
        type: 'array', minItems: 1, maxItems: restoredMappings.most,
        items: {
          ...restored,
          properties: {
            entity_type: entityType, external_id: { ...externalId, pattern: plainText },
            crm_id: { type: 'string', minLength: 1, maxLength: 64, pattern: plainText },
          },
        },
      },
    },
  } as const,
  answers: {
    200: {
      description: 'What became of them. Of `conflicts`, whose external ids lead to other records, `crm_id` is the record.',
      schema: {
        type: 'object', additionalProperties: false, required: ['restored', 'unchanged', 'conflicts'],
        properties: {
          restored: { type: 'integer', minimum: 0 },
          unchanged: { type: 'integer', minimum: 0 },
          conflicts: {
            type: 'array',
            items: {
              ...restored,
              properties: {
                entity_type: { type: 'string' }, external_id: { type: 'string' }, crm_id: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
  errors: ['connector_not_found', 'crm_portal_not_bound', 'binding_changed'],
  examples: [{
    title: 'A mapping',
    body: { portal_id: '1000001', mappings: [{ entity_type: 'customer', external_id: 'C-1', crm_id: '211' }] },
  }],
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
