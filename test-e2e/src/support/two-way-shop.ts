import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A customer as the shop has it. */
export interface Customer {
  email: string;
  name: string;
  phone: string;
}

/** A shop that tells Sluice of the edits of its people, and takes customers from the CRM. */
export interface TwoWayShop {
  url: string;
  customers: Map<string, Customer>;
  /** Requests that it got. */
  puts(): number;
  /** What happens in the shop while a request is under way, before the request has an effect. */
  during(work: (customer: Customer) => Promise<void>): void;
  stop(): Promise<void>;
}

export async function startTwoWayShop(): Promise<TwoWayShop> {
  const customers = new Map<string, Customer>();
  let puts = 0;
  let during: (customer: Customer) => Promise<void> = () => Promise.resolve();
  const server = createServer((request, response) => {
    void (async () => {
      const customer = await json(request) as Customer;
      puts += 1;
      await during(customer);
      customers.set(customer.email, customer);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: customer.email }));
    })().catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    customers,
    puts: () => puts,
    during: (work) => { during = work; },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const inCrm = (property: string): string => `$.payload.object.properties.${property}`;
const map = (source: string, target: string): object => ({ source, target });
const put = {
  id: 'send', action: 'post', target: 'shop', method: 'PUT', url: `/customers/{${inCrm('email')}}`, entity: 'customer',
};

/** Customers in both directions, as docs/reference/echoes.md describes it. */
export const twoWayConfig = (shopUrl: string): object => ({
  version: '3.0',
  entities: [{
    name: 'customer',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [map('$.payload.email', 'email'), map('$.payload.name', 'firstname'), map('$.payload.phone', 'phone')],
      },
      shop: {
        field_mappings: [map(inCrm('email'), 'email'), map(inCrm('firstname'), 'name'), map(inCrm('phone'), 'phone')],
      },
    },
  }],
  flows: [
    {
      name: 'shop to CRM', source: 'event_api', event_type: 'customer_synced', suppress_echo: true,
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
    },
    { name: 'new in the CRM', source: 'crm', event_type: '0-1.create', steps: [put] },
    { name: 'changed in the CRM', source: 'crm', event_type: '0-1.update', steps: [put] },
  ],
  sources: [
    { name: 'event_api', type: 'event_api', config: {} },
    { name: 'crm', type: 'crm', config: { enrich_properties: { contacts: ['email', 'firstname', 'phone'] } } },
    { name: 'shop', type: 'rest', config: { base_url: shopUrl } },
  ],
});
