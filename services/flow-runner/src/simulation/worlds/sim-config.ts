import type { ConfigDocument, Step } from '@sluice/contracts';

const map = (source: string, target: string): { source: string; target: string } => ({ source, target });
const saveCustomer: Step = { id: 'customer', action: 'upsert', target: 'crm', entity: 'customer' };
const saveOrder: Step = { id: 'order', action: 'upsert', target: 'crm', entity: 'order' };
const link: Step = {
  id: 'link', action: 'associate', target: 'crm', from_entity: 'customer', to_entity: 'order',
  from_external_id: '$.payload.customer.email', to_external_id: '$.payload.number',
};
const openTicket: Step = { id: 'opened', action: 'create', target: 'crm', entity: 'ticket' };
const closeTicket: Step = { id: 'closed', action: 'delete', target: 'crm', entity: 'ticket' };
const listTickets: Step = { id: 'listed', action: 'upsert_many', target: 'crm', entity: 'ticket', items: '$.payload.tickets' };
const ring: Step = { id: 'ring', action: 'notify', target: 'shop', url: '/ring', data: { n: '$.payload.n' } };
/** Tells the shop which record a step wrote, and whether it made it. */
const tell = (id: string, of: string, more: object = {}): Step => ({
  id, action: 'post', target: 'shop', url: `/${id}`, ...more,
  body: { n: '$.payload.n', id: `$${of}.crm_id`, isNew: `$${of}.created` },
});
const greet = tell('greet', 'order', { when: { equals: { path: '$order.created', value: true } } });
/** Marks the record of the first entry of a list, by the id that the list reported. */
const mark = (objectType: string): Step => ({
  id: 'mark', action: 'update_by_id', target: 'crm', object_type: objectType, object_id: '$listed.results[0].crm_id',
  data: { marked_by: '$.payload.n' }, when: { exists: '$listed.results[0].crm_id' },
});
/** A write that would make another order of a record is refused. */
const orderGuard = { properties: ['dealname', 'pipeline'], max_changed: 1 };

interface Variant {
  orderSteps: Step[];
  /** Whether the orders have a guard, and customers are made anew when they were deleted in the CRM. */
  strict: boolean;
  /** What lists with a mark are about: in another version the same step writes another entity. */
  listed: 'ticket' | 'memo';
}

const ticketEntities: ConfigDocument['entities'] = [
  {
    name: 'ticket', payload_root: '$.payload.ticket', on_target_deleted: 'recreate',
    schemas: {
      crm: {
        object_type: 'tickets', identity: { property: 'subject' },
        field_mappings: [
          map('$.payload.subject', 'subject'), map('$.payload.n', 'content'), map('$.payload.item', 'hs_ticket_priority'),
        ],
      },
    },
  },
  {
    name: 'memo', payload_root: '$.payload.ticket', on_target_deleted: 'recreate',
    schemas: {
      crm: {
        object_type: 'companies', identity: { property: 'domain' },
        field_mappings: [
          map('$.payload.subject', 'domain'), map('$.payload.n', 'content'), map('$.payload.item', 'hs_ticket_priority'),
        ],
      },
    },
  },
];

/**
 * Customers by a property the CRM keeps unique, orders by one it does not. The number of the event that wrote a record stands
 * in `firstname` (customers), `amount` (orders) or `content` (tickets): the write log shows whose turn it was. Tickets are what
 * is created, deleted and written in lists, by a property that the CRM does not keep unique.
 */
const configOf = ({ orderSteps, strict, listed }: Variant): ConfigDocument => ({
  version: '3.1',
  entities: [
    {
      name: 'customer', payload_root: '$.payload.customer', on_target_deleted: strict ? 'recreate' : 'skip',
      schemas: {
        crm: {
          object_type: 'contacts', identity: { property: 'email' },
          field_mappings: [map('$.payload.email', 'email'), map('$.payload.n', 'firstname')],
        },
      },
    },
    {
      name: 'order', on_target_deleted: 'recreate',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { property: 'description', ...(strict ? { guard: orderGuard } : {}) },
          field_mappings: [
            map('$.payload.number', 'description'), map('$.payload.n', 'amount'),
            map('$.payload.title', 'dealname'), map('$.payload.region', 'pipeline'),
          ],
        },
      },
    },
    ...ticketEntities,
  ],
  flows: [
    { name: 'opened', source: 'event_api', event_type: 'ticket.opened', steps: [openTicket] },
    { name: 'closed', source: 'event_api', event_type: 'ticket.closed', steps: [closeTicket] },
    { name: 'listed', source: 'event_api', event_type: 'tickets.listed', steps: [listTickets] },
    {
      name: 'marked', source: 'event_api', event_type: 'tickets.marked',
      steps: [{ ...listTickets, entity: listed }, mark(listed === 'memo' ? 'companies' : 'tickets')],
    },
    { name: 'customers', source: 'event_api', event_type: 'customer_synced', steps: [saveCustomer] },
    { name: 'orders', source: 'event_api', event_type: 'order.placed', steps: orderSteps },
    { name: 'shipping', source: 'event_api', event_type: 'shipping.planned', steps: [saveOrder, link] },
    {
      name: 'told customers', source: 'event_api', event_type: 'customer.told',
      steps: [ring, saveCustomer, tell('tell', 'customer')],
    },
    { name: 'told orders', source: 'event_api', event_type: 'order.told', steps: [saveOrder, greet, tell('tell', 'order')] },
  ],
  sources: [
    { name: 'event_api', type: 'event_api' },
    { name: 'shop', type: 'rest', config: { base_url: 'https://shop.test' } },
  ],
  settings: {},
});

/** The published versions, from 1 on. In the second an order touches its customer no more: what may share a batch changes. */
export const simVersions: readonly ConfigDocument[] = [
  configOf({ orderSteps: [saveCustomer, saveOrder], strict: false, listed: 'ticket' }),
  configOf({ orderSteps: [saveOrder], strict: false, listed: 'memo' }),
  configOf({ orderSteps: [saveCustomer, saveOrder], strict: true, listed: 'ticket' }),
];
