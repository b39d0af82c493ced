import type { ConfigDocument } from '@sluice/contracts';

/** A small valid config for tests: customers become contacts associated with their company. */
export function shopConfig(): ConfigDocument {
  return {
    version: '3.1',
    entities: [
      {
        name: 'contact',
        schemas: {
          crm: {
            object_type: 'contacts',
            identity: { strategy: 'match_or_create', property: 'email' },
            field_mappings: [
              { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
              { source: '$.payload.first_name', target: 'firstname' },
              {
                source: '$.payload.price',
                target_template: 'price_{$.payload.currency}',
                provision_names: ['price_eur', 'price_usd'],
                crm_type: 'number',
                crm_field_type: 'number',
              },
            ],
          },
        },
      },
      {
        name: 'company',
        schemas: {
          crm: {
            object_type: 'companies',
            identity: { property: 'domain' },
            field_mappings: [
              { source: '$.payload.domain', target: 'domain' },
              { source: '$.payload.name', target: 'hs_reserved' },
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
        steps: [
          { id: 'contact', action: 'upsert', target: 'crm', entity: 'contact' },
          {
            id: 'link',
            action: 'associate',
            when: { exists: '$.payload.domain' },
            target: 'crm',
            from_entity: 'contact',
            from_external_id: '$contact.external_id',
            to_entity: 'company',
            to_external_id: '$.payload.domain',
          },
        ],
      },
    ],
    sources: [{ name: 'event_api', type: 'event_api', config: {} }],
  };
}
