const map = (source: string, target: string, more: object = {}): object => ({ source, target, ...more });

/**
 * A shop whose customers are contacts by email (unique in the CRM) and whose orders are deals by a property that the CRM does
 * not keep unique: creating them safely is up to us.
 */
export const shopConfig = {
  version: '3.1',
  entities: [
    {
      name: 'customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [
            map('$.payload.email', 'email'),
            map('$.payload.name', 'firstname'),
            map('$.payload.version', 'jobtitle'),
          ],
        },
      },
    },
    {
      name: 'order_customer',
      payload_root: '$.payload.customer',
      schemas: {
        crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: [map('$.payload.email', 'email')] },
      },
    },
    {
      name: 'order',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { property: 'description' },
          field_mappings: [
            map('$.payload.number', 'description'),
            map('$.payload.title', 'dealname'),
            map('$.payload.stage', 'dealstage'),
            map('$.payload.version', 'amount'),
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
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
    },
    {
      name: 'orders',
      source: 'event_api',
      event_type: 'order.*',
      steps: [
        { id: 'who', action: 'upsert', target: 'crm', entity: 'order_customer' },
        { id: 'order', action: 'upsert', target: 'crm', entity: 'order' },
        {
          id: 'link',
          action: 'associate',
          target: 'crm',
          from_entity: 'order',
          to_entity: 'order_customer',
          from_external_id: '$.payload.number',
          to_external_id: '$.payload.customer.email',
        },
      ],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api', config: {} }],
  settings: {},
};
