import type { ConfigDocument } from '@sluice/contracts';

/** One entity, one flow: customers become contacts, found by their address, with one property of our own. */
export const contactConfig: ConfigDocument = {
  version: '3.0',
  entities: [
    {
      name: 'customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { strategy: 'match_or_create', property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email', transform: ['lowercase'] },
            { source: '$.external_id', target: 'shop_id', crm_label: 'Shop id' },
          ],
        },
      },
    },
  ],
  flows: [
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert', entity: 'customer', target: 'crm' }],
    },
  ],
  sources: [],
  settings: {},
};
