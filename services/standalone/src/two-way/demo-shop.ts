import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer as the shop has it; `email` names it. */
export interface Customer {
  email: string;
  name: string;
  phone: string;
}

/** What a person changed in the shop: the values that are given. */
export type CustomerChange = Pick<Customer, 'email'> & Partial<Customer>;

export interface DemoShopOptions {
  customers: readonly Customer[];
  /** Stores all customers, whenever one has changed. */
  keep(customers: Customer[]): void;
  /** Sends the change of a person to Sluice. Rejects when it was not accepted. */
  tell(change: CustomerChange): Promise<void>;
}

/** Customers that fit in memory, and bytes of a body. */
const [mostCustomers, mostBytes] = [1_000, 10_000];

/**
 * A small shop with a REST API. `PUT /customers/<email>` sets a customer, as Sluice does; `PATCH` is the edit of a person, which
 * the shop tells Sluice; `GET /customers` and `GET /customers/<email>` read. Invariant: the edits of one customer are told in
 * their order, one after the other.
 */
export class DemoShop {
  /** PUT requests that changed a customer. */
  changed = 0;
  private readonly customers: Map<string, Customer>;
  /** The last change that is told, by customer. */
  private readonly telling = new Map<string, Promise<void>>();
  private readonly server: Server;

  constructor(private readonly options: DemoShopOptions) {
    this.customers = new Map(options.customers.map((customer) => [customer.email, { ...customer }]));
    this.server = createServer((request, response) => {
      void this.answer(request).catch(() => [500, { error: 'the shop failed' }] as const).then(([status, body]) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
    });
  }

  /**
   * Listens on the loopback address.
   * @param port another free one is taken when it is in use
   * @returns the port
   */
  async start(port: number): Promise<number> {
    const listen = (wanted: number): Promise<void> => new Promise((resolve, reject) => {
      this.server.once('error', reject).listen(wanted, '127.0.0.1', () => resolve());
    });
    await listen(port).catch(() => listen(0));
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => { this.server.close(resolve); });
  }

  find(email: string): Customer | undefined {
    return this.customers.get(email);
  }

  all(): Customer[] {
    return [...this.customers.values()];
  }

  /** The edit of a person. Resolves when Sluice has accepted it. */
  async edit(change: CustomerChange): Promise<void> {
    this.set({ name: '', phone: '', ...this.customers.get(change.email), ...change });
    const before = this.telling.get(change.email) ?? Promise.resolve();
    const told = before.catch(() => undefined).then(() => this.options.tell(change));
    this.telling.set(change.email, told);
    await told;
  }

  private set(customer: Customer): void {
    this.customers.set(customer.email, customer);
    this.options.keep(this.all());
  }

  private async answer(request: IncomingMessage): Promise<readonly [status: number, body: unknown]> {
    const { method, url = '' } = request;
    const [, list, name, ...rest] = url.split('?')[0]!.split('/');
    if (list !== 'customers' || rest.length > 0) return [404, { error: 'not found' }];
    if (name === undefined || name === '') return method === 'GET' ? [200, this.all()] : [405, { error: 'only GET' }];
    const email = decodeURIComponent(name).toLowerCase();
    const known = this.customers.get(email);
    if (method === 'GET') return known ? [200, known] : [404, { error: 'no such customer' }];
    if (method !== 'PUT' && method !== 'PATCH') return [405, { error: 'GET, PUT or PATCH' }];
    const given = textFields(await bodyOf(request));
    if (given === null) return [400, { error: "a JSON object with texts 'name' and 'phone'" }];
    if (!known && this.customers.size >= mostCustomers) return [409, { error: `at most ${mostCustomers} customers` }];
    if (method === 'PATCH') {
      await this.edit({ ...given, email });
      return [200, this.customers.get(email)];
    }
    this.changed += 1;
    this.set({ name: '', phone: '', ...known, ...given, email });
    return [200, { id: email }];
  }
}

/** null: it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The fields of a customer that a body has; null: it is none. */
function textFields(body: string | null): Partial<Customer> | null {
  let given: unknown;
  try {
    given = JSON.parse(body ?? '');
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null) return null;
  const { name, phone } = given as Record<string, unknown>;
  const fields = Object.entries({ name, phone }).filter(([, value]) => value !== undefined && value !== null);
  return fields.every(([, value]) => typeof value === 'string') ? (Object.fromEntries(fields) as Partial<Customer>) : null;
}
