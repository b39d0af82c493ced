import { defineRoute } from '../../../http/route';
import { bodyLimits, connectorParams, nameText, nullableText, provisionedSchema } from '../shared';

export const provisionPortal = defineRoute({
  name: 'provision_portal',
  method: 'post',
  path: '/api/connectors/:connector_id/provision',
  tag: 'Portal binding',
  auth: 'config',
  audit: { action: 'connector.provision', target: 'connector', param: 'connector_id', elsewhere: true },
  summary: 'Create in the bound portal what the draft needs and the portal lacks; publish nothing',
  description:
    'Property groups, properties, custom object types, pipelines and stages, as a publish creates them. What exists is never ' +
    'changed. With `entity`, only what that entity needs. The request is the confirmation: the review gate does not apply.',
  params: connectorParams,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: { entity: { ...nameText, type: ['string', 'null'], description: 'Name of an entity of the draft.' } },
  } as const,
  answers: {
    200: {
      description: 'What was created, and what was there.',
      schema: {
        type: 'object', required: ['portal_id', 'provisioned'],
        properties: { portal_id: nullableText, provisioned: { type: 'array', items: provisionedSchema } },
      },
    },
  },
  errors: ['connector_not_found', 'provisioning_failed', 'crm_portal_not_bound', 'config_too_complex'],
  examples: [{ title: 'One entity', body: { entity: 'customer' } }],
});
