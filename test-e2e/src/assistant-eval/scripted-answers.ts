/** Patches with which a model would pass tasks of the evaluation; a scripted model server of a test answers with them. */
const sources = [{ name: 'event_api', type: 'event_api', config: {} }];
const map = (source: string, target: string, more: object = {}): object => ({ source, target, ...more });
const entity = (name: string, objectType: string, identity: string, mappings: object[], more: object = {}): object => ({
  name, ...more,
  schemas: {
    crm: { object_type: objectType, identity: { strategy: 'match_or_create', property: identity }, field_mappings: mappings },
  },
});
const upsert = (name: string): object => ({ id: name, action: 'upsert', target: 'crm', entity: name });
const flow = (eventType: string, steps: object[]): object => ({ name: 'all', source: 'event_api', event_type: eventType, steps });

export const scriptedAnswers: Readonly<Record<string, object>> = {
  contacts: {
    sources,
    entities: [entity('customer', 'contacts', 'email', [
      map('$.payload.email', 'email'), map('$.payload.first', 'firstname'), map('$.payload.last', 'lastname'),
    ])],
    flows: [flow('customer.saved', [upsert('customer')])],
  },
  companies: {
    sources,
    entities: [entity('account', 'companies', 'domain', [
      map('$.payload.website', 'domain', { transform: ['normalize_domain'] }), map('$.payload.title', 'name'),
      map('$.payload.town', 'city'),
    ])],
    flows: [flow('account.saved', [upsert('account')])],
  },
  'orders to deals, customers to contacts, linked': {
    sources,
    entities: [
      entity('customer', 'contacts', 'email', [map('$.payload.email', 'email')]),
      entity('order', 'deals', 'order_number', [
        map('$.payload.number', 'order_number', { crm_label: 'Order number', transform: ['to_string'] }),
        map('$.payload.number', 'dealname'), map('$.payload.total', 'amount', { transform: ['to_number'] }),
        map('$.payload.number', 'dealstage', {
          transform: [{ name: 'map_values', args: { values: {}, default: 'appointmentscheduled' } }],
        }),
      ], { payload_root: '$.payload.order' }),
    ],
    flows: [flow('order.placed', [
      upsert('customer'), upsert('order'),
      {
        id: 'link', action: 'associate', target: 'crm', from_entity: 'order', from_external_id: '$order.external_id',
        to_entity: 'customer', to_external_id: '$customer.external_id',
      },
    ])],
  },
};
