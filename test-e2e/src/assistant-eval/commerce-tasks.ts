import type { EvalTask } from './eval-task';

const order = { email: 'ada@twelve.example', order: { number: 'T-12', total: '42.50' } };

/** The CRM creates no deal without a stage. */
const stage = 'New deals are in the stage appointmentscheduled.';

/** Tasks about orders, tickets and products. */
export const commerceTasks: readonly EvalTask[] = [
  {
    name: 'deals',
    wish: `Save orders as deals, found by the order number in a new property "shop_number"; the deal is named "Order <number>". ${stage}`,
    events: [{ event: 'order.placed', data: { number: 'E-11', total: 12 } }],
    expected: [{ objectType: 'deals', property: 'shop_number', value: 'E-11',
      properties: { dealname: 'Order E-11', amount: '12' } }],
  },
  {
    name: 'orders to deals, customers to contacts, linked',
    wish: `Orders become deals (by a property "order_number"), their customers contacts by email; link the two. ${stage}`,
    events: [{ event: 'order.placed', data: order }],
    expected: [
      { objectType: 'deals', property: 'order_number', value: 'T-12', properties: { amount: '42.5' }, linkedTo: ['contacts'] },
      { objectType: 'contacts', property: 'email', value: 'ada@twelve.example' },
    ],
  },
  {
    name: 'stages',
    wish: 'Orders are deals by "order_no". Status is the stage: placed appointmentscheduled, paid closedwon, cancelled closedlost.',
    events: [
      { event: 'order.changed', recordKey: 'S-13', data: { no: 'S-13', status: 'placed' } },
      { event: 'order.changed', recordKey: 'S-13', data: { no: 'S-13', status: 'paid' } },
    ],
    expected: [{ objectType: 'deals', property: 'order_no', value: 'S-13', properties: { dealstage: 'closedwon' } }],
  },
  {
    name: 'sums',
    wish: `Baskets are deals by "basket_id". The amount of the deal is the sum of the prices of all lines. ${stage}`,
    events: [{ event: 'basket.closed', data: { id: 'B-14', lines: [{ price: 10 }, { price: 5.5 }] } }],
    expected: [{ objectType: 'deals', property: 'basket_id', value: 'B-14', properties: { amount: '15.5' } }],
  },
  {
    name: 'cents',
    wish: `Invoices are deals by "invoice_id". The amount comes in cents; the deal has it in euros. ${stage}`,
    events: [{ event: 'invoice.sent', data: { id: 'I-15', cents: 1999 } }],
    expected: [{ objectType: 'deals', property: 'invoice_id', value: 'I-15', properties: { amount: '19.99' } }],
  },
  {
    name: 'tickets',
    wish: 'Save help requests as tickets by a property "desk_id", with subject and text. New tickets are in stage 1.',
    events: [{ event: 'request.opened', data: { id: 'H-16', title: 'Help', text: 'It is broken.' } }],
    expected: [
      { objectType: 'tickets', property: 'desk_id', value: 'H-16', properties: { subject: 'Help', content: 'It is broken.' } },
    ],
  },
  {
    name: 'products',
    wish: 'Save articles as products by "article_no", with name and price. Prices have a comma: "8,40".',
    events: [{ event: 'article.saved', data: { no: 'A-17', name: 'Tea', price: '8,40' } }],
    expected: [{ objectType: 'products', property: 'article_no', value: 'A-17', properties: { name: 'Tea', price: '8.4' } }],
  },
  {
    name: 'big orders only',
    wish: `Only orders of 100 or more become deals, by "big_order_no". Smaller ones are ignored. ${stage}`,
    events: [
      { event: 'sale.done', data: { no: 'G-18a', total: 20 } },
      { event: 'sale.done', data: { no: 'G-18b', total: 250 } },
    ],
    expected: [{ objectType: 'deals', property: 'big_order_no', value: 'G-18b', properties: { amount: '250' } }],
  },
  {
    name: 'company and deal',
    wish: `A quote has a client: save the client as a company by domain, the quote as a deal by "quote_no", and link them. ${stage}`,
    events: [{ event: 'quote.sent', data: { no: 'Q-19', client: { domain: 'nineteen.example', name: 'Nineteen' }, value: 900 } }],
    expected: [
      { objectType: 'deals', property: 'quote_no', value: 'Q-19', properties: { amount: '900' }, linkedTo: ['companies'] },
      { objectType: 'companies', property: 'domain', value: 'nineteen.example' },
    ],
  },
  {
    name: 'dates',
    wish: `Contracts are deals by "contract_no". The close date is the end of the contract. ${stage}`,
    events: [{ event: 'contract.signed', data: { no: 'C-20', ends: '2027-01-31' } }],
    expected: [{ objectType: 'deals', property: 'contract_no', value: 'C-20' }],
  },
];
