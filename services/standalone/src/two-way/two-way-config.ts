import type { ConfigDocument } from '@sluice/contracts';

const inCrm = (property: string): string => `$.payload.object.properties.${property}`;
const send = {
  id: 'send', action: 'post', target: 'shop', method: 'PUT', url: `/customers/{${inCrm('email')}}`, entity: 'customer',
} as const;
const onlyChanges = { narrow_outbound_projection: true } as const;

/**
 * Customers of a shop and contacts of the CRM, kept equal in both directions (docs/reference/echoes.md, Two-way sync). The shop
 * tells only what a person changed, and gets only what changed in the CRM: edits of different values do not undo each other.
 */
export const twoWayConfig = (shopUrl: string): ConfigDocument => ({
  version: '3.0',
  entities: [{
    name: 'customer',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { strategy: 'match_or_create', property: 'email' },
        field_mappings: [
          { source: '$.payload.email', target: 'email' },
          { source: '$.payload.name', target: 'firstname' },
          { source: '$.payload.phone', target: 'phone' },
        ],
      },
      shop: {
        field_mappings: [
          { source: inCrm('email'), target: 'email' },
          { source: inCrm('firstname'), target: 'name' },
          { source: inCrm('phone'), target: 'phone' },
        ],
      },
    },
  }],
  flows: [
    {
      name: 'shop to CRM', source: 'event_api', event_type: 'customer.edited', suppress_echo: true,
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
    },
    { name: 'new in the CRM', source: 'crm', event_type: '0-1.create', ...onlyChanges, steps: [send] },
    { name: 'changed in the CRM', source: 'crm', event_type: '0-1.update', ...onlyChanges, steps: [send] },
  ],
  sources: [
    { name: 'event_api', type: 'event_api', config: {} },
    { name: 'crm', type: 'crm', config: { enrich_properties: { contacts: ['email', 'firstname', 'phone'] } } },
    { name: 'shop', type: 'rest', config: { base_url: shopUrl } },
  ],
});
