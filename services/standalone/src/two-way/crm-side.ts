import type { Customer, CustomerChange } from './demo-shop';

/** A contact as the control surface of the CRM simulator shows it. */
interface Contact {
  id: string;
  properties: Record<string, string | null>;
  write_log: { source: string }[];
}

/** The customers of a portal of the CRM simulator. */
export interface CrmCustomers {
  customers: Map<string, Customer>;
  /** Writes that came through the CRM's API: those of Sluice. */
  writes: number;
}

/** What people do in the CRM: contacts of a portal of its own, so that the records of the shop orders stay as they are. */
export class CrmSide {
  static readonly portalId = 1_900_001;
  static readonly accessToken = `sim-access-${CrmSide.portalId}`;

  /** @param signal ends the requests */
  constructor(private readonly url: string, private readonly signal: AbortSignal) {}

  /** Makes the portal unless it is there. */
  async open(): Promise<void> {
    const answer = await this.call('POST', '/_sim/portals', { portal_id: CrmSide.portalId });
    if (!answer.ok && answer.status !== 400) throw new Error(`the CRM simulator answered ${answer.status}`);
  }

  /** The edit of a person in the CRM; a customer that is not there is new. */
  async edit({ email, name, phone }: CustomerChange): Promise<void> {
    const known = (await this.contacts()).find(({ properties }) => properties.email === email);
    const properties = { ...(name !== undefined && { firstname: name }), ...(phone !== undefined && { phone }) };
    const what = known ? { action: 'update', id: known.id, properties }
      : { action: 'create', properties: { email, ...properties } };
    const answer = await this.call('POST', '/_sim/edits', { portal_id: CrmSide.portalId, object_type: 'contacts', ...what });
    if (!answer.ok) throw new Error(`the CRM simulator answered ${answer.status}: ${await answer.text()}`);
  }

  async read(): Promise<CrmCustomers> {
    const contacts = await this.contacts();
    const customers = contacts.map(({ properties: { email, firstname, phone } }): Customer =>
      ({ email: email ?? '', name: firstname ?? '', phone: phone ?? '' }));
    return {
      customers: new Map(customers.map((customer) => [customer.email, customer])),
      writes: contacts.flatMap(({ write_log: log }) => log).filter(({ source }) => source === 'api').length,
    };
  }

  private async contacts(): Promise<Contact[]> {
    const answer = await this.call('GET', `/_sim/records?portal_id=${CrmSide.portalId}&object_type=contacts`);
    if (!answer.ok) throw new Error(`the CRM simulator answered ${answer.status}`);
    return ((await answer.json()) as { items: Contact[] }).items;
  }

  private call(method: string, path: string, body?: object): Promise<Response> {
    const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return fetch(this.url + path, { method, signal: this.signal, ...sent });
  }
}
