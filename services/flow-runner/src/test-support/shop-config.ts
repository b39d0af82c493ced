import type { ConfigDocument, Step } from '@sluice/contracts';
import type { LabEvent } from './lab-event';

const mapping = (source: string, target: string): { source: string; target: string } => ({ source, target });

/** The order of an event belongs to its customer. */
export const orderOfCustomer: Step = {
  id: 'link',
  action: 'associate',
  target: 'crm',
  from_entity: 'customer',
  to_entity: 'order',
  from_external_id: '$.payload.customer.email',
  to_external_id: '$.payload.number',
};

/** Customers by email (unique in the CRM), orders by a deal property the CRM does not keep unique, and their association. */
export const shopConfig: ConfigDocument = {
  version: '3.1',
  entities: [
    {
      name: 'customer',
      payload_root: '$.payload.customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [mapping('$.payload.email', 'email'), mapping('$.payload.name', 'firstname')],
        },
      },
    },
    {
      name: 'order',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { property: 'description' },
          field_mappings: [
            mapping('$.payload.number', 'description'),
            mapping('$.payload.title', 'dealname'),
            mapping('$.payload.stage', 'dealstage'),
            mapping('$.payload.amount', 'amount'),
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
        { id: 'customer', action: 'upsert', target: 'crm', entity: 'customer', when: { exists: '$.payload.customer.email' } },
        { id: 'order', action: 'upsert', target: 'crm', entity: 'order' },
        orderOfCustomer,
      ],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
};

/** An order of the shop. */
export function order(id: string, number: string, customer: string, more: Record<string, unknown> = {}): LabEvent {
  return {
    id,
    type: 'order.placed',
    payload: {
      number,
      title: `Order ${number}`,
      stage: 'appointmentscheduled',
      amount: 10,
      customer: { email: `${customer}@shop.test`, name: customer },
      ...more,
    },
  };
}
