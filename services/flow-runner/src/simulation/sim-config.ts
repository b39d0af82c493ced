import type { ConfigDocument, Step } from '@sluice/contracts';

const map = (source: string, target: string): { source: string; target: string } => ({ source, target });
const saveCustomer: Step = { id: 'customer', action: 'upsert', target: 'crm', entity: 'customer' };
const saveOrder: Step = { id: 'order', action: 'upsert', target: 'crm', entity: 'order' };
const link: Step = { id: 'link', action: 'associate', target: 'crm', from_entity: 'customer', to_entity: 'order', from_external_id: '$.payload.customer.email', to_external_id: '$.payload.number' };

/**
 * Customers by a property the CRM keeps unique, orders by one it does not. The number of the event that wrote a record stands
 * in `firstname` (customers) or `amount` (orders): the write log shows whose turn it was.
 */
const withOrders = (orderSteps: Step[]): ConfigDocument => ({
  version: '3.1',
  entities: [
    { name: 'customer', payload_root: '$.payload.customer', schemas: { crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: [map('$.payload.email', 'email'), map('$.payload.n', 'firstname')] } } },
    { name: 'order', schemas: { crm: { object_type: 'deals', identity: { property: 'description' }, field_mappings: [map('$.payload.number', 'description'), map('$.payload.n', 'amount')] } } },
  ],
  flows: [
    { name: 'customers', source: 'event_api', event_type: 'customer_synced', steps: [saveCustomer] },
    { name: 'orders', source: 'event_api', event_type: 'order.placed', steps: orderSteps },
    { name: 'shipping', source: 'event_api', event_type: 'shipping.planned', steps: [saveOrder, link] },
  ],
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
});

/** The published versions, from 1 on. In the second an order touches its customer no more: what may share a batch changes. */
export const simVersions: readonly ConfigDocument[] = [withOrders([saveCustomer, saveOrder]), withOrders([saveOrder])];
