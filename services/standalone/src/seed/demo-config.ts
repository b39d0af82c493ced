import type { ConfigDocument, FieldMapping } from '@sluice/contracts';

/** A text property that is provisioned at publish. */
const own = (source: string, target: string, label: string, more: Partial<FieldMapping> = {}): FieldMapping => ({
  source,
  target,
  crm_label: label,
  ...more,
});

const fromOffice = { exists: '$.payload.company.website' } as const;

/**
 * The published config of the demo connector, and a worked example: customers become contacts (unique by email in the
 * CRM), companies are found by domain (which the CRM does not keep unique: Sluice's claims do), orders become deals by a
 * property that publishing creates and makes unique, and all three are associated.
 */
export const demoConfig: ConfigDocument = {
  version: '3.0',
  entities: [
    {
      name: 'customer',
      payload_root: '$.payload.customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { strategy: 'match_or_create', property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
            { source: '$.payload.first_name', target: 'firstname', transform: ['trim'] },
            { source: '$.payload.last_name', target: 'lastname', transform: ['trim'] },
            { source: '$.payload.phone', target: 'phone', transform: [{ name: 'normalize_phone_in', args: { country: 'DE' } }] },
            { source: '$.payload.city', target: 'city' },
            own('$.payload.id', 'shop_customer_id', 'Shop customer id'),
          ],
        },
      },
    },
    {
      name: 'company',
      payload_root: '$.payload.company',
      schemas: {
        crm: {
          object_type: 'companies',
          identity: { strategy: 'match_or_create', property: 'domain' },
          field_mappings: [
            { source: '$.payload.website', target: 'domain', transform: ['normalize_domain'] },
            { source: '$.payload.name', target: 'name', transform: ['trim'] },
            { source: '$.payload.city', target: 'city' },
          ],
        },
      },
    },
    {
      name: 'order',
      payload_root: '$.payload.order',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { strategy: 'match_or_create', property: 'shop_order_number' },
          field_mappings: [
            own('$.payload.number', 'shop_order_number', 'Shop order number'),
            { source: '$.payload.number', target: 'dealname', transform: [{ name: 'prefix', args: { text: 'Order ' } }] },
            { source: '$.payload.total', target: 'amount', transform: ['to_number', { name: 'round', args: { digits: 2 } }] },
            { source: '$.payload.currency', target: 'deal_currency_code', transform: ['uppercase'] },
            { source: '$.payload.placed_at', target: 'closedate', transform: ['to_datetime'] },
            {
              source: '$.payload.status',
              target: 'dealstage',
              transform: [
                {
                  name: 'map_values',
                  args: {
                    values: {
                      placed: 'appointmentscheduled',
                      paid: 'contractsent',
                      shipped: 'closedwon',
                      cancelled: 'closedlost',
                    },
                    default: 'no_such_stage',
                  },
                },
              ],
            },
            own('$.payload.lines[*].name', 'shop_products', 'Shop products', {
              transform: ['unique', { name: 'join', args: { sep: ', ' } }],
            }),
            own('$.payload.lines[*].quantity', 'shop_item_count', 'Shop item count', {
              crm_type: 'number',
              crm_field_type: 'number',
              transform: ['sum'],
            }),
            own('$.payload.channel', 'shop_channel', 'Shop channel', {
              crm_type: 'enumeration',
              crm_field_type: 'select',
              crm_options: [
                { value: 'web', label: 'Web shop' },
                { value: 'phone', label: 'Phone' },
                { value: 'marketplace', label: 'Marketplace' },
              ],
            }),
          ],
        },
      },
    },
    {
      name: 'subscriber',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { strategy: 'match_or_create', property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
            own('$.payload.topics', 'shop_newsletter_topics', 'Newsletter topics'),
            own('$.external_id', 'shop_subscriber_id', 'Shop subscriber id'),
          ],
        },
      },
    },
  ],
  flows: [
    {
      name: 'orders',
      source: 'event_api',
      event_type: 'order.*',
      steps: [
        {
          id: 'test_order',
          action: 'skip',
          when: { equals: { path: '$.payload.order.test', value: true } },
          reason: 'a test order',
        },
        { id: 'customer', action: 'upsert', target: 'crm', entity: 'customer' },
        { id: 'company', action: 'upsert', target: 'crm', entity: 'company', when: fromOffice },
        { id: 'order', action: 'upsert', target: 'crm', entity: 'order' },
        {
          id: 'buyer',
          action: 'associate',
          target: 'crm',
          from_entity: 'order',
          from_external_id: '$order.external_id',
          to_entity: 'customer',
          to_external_id: '$customer.external_id',
        },
        {
          id: 'billed_to',
          action: 'associate',
          target: 'crm',
          when: fromOffice,
          from_entity: 'order',
          from_external_id: '$order.external_id',
          to_entity: 'company',
          to_external_id: '$company.external_id',
        },
        {
          id: 'works_for',
          action: 'associate',
          target: 'crm',
          when: fromOffice,
          from_entity: 'customer',
          from_external_id: '$customer.external_id',
          to_entity: 'company',
          to_external_id: '$company.external_id',
        },
      ],
    },
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer.*',
      steps: [
        { id: 'customer', action: 'upsert', target: 'crm', entity: 'customer' },
        { id: 'company', action: 'upsert', target: 'crm', entity: 'company', when: fromOffice },
        {
          id: 'works_for',
          action: 'associate',
          target: 'crm',
          when: fromOffice,
          from_entity: 'customer',
          from_external_id: '$customer.external_id',
          to_entity: 'company',
          to_external_id: '$company.external_id',
        },
      ],
    },
    {
      name: 'newsletter',
      source: 'event_api',
      event_type: 'subscriber_synced',
      steps: [{ id: 'subscriber', action: 'upsert', target: 'crm', entity: 'subscriber' }],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api', config: {} }],
};
