import type { EvalTask } from './eval-task';

/** Tasks about people and companies. */
export const peopleTasks: readonly EvalTask[] = [
  {
    name: 'contacts',
    wish: 'Save every customer as a contact, found by email, with first and last name.',
    events: [{ event: 'customer.saved', data: { email: 'ada@one.example', first: 'Ada', last: 'Byron' } }],
    expected: [
      { objectType: 'contacts', property: 'email', value: 'ada@one.example',
        properties: { firstname: 'Ada', lastname: 'Byron' } },
    ],
  },
  {
    name: 'clean email',
    wish: 'Save sign-ups as contacts. Addresses come in capitals and with blanks: clean them.',
    events: [{ event: 'user.signed_up', data: { mail: '  GRACE@Two.Example ' } }],
    expected: [{ objectType: 'contacts', property: 'email', value: 'grace@two.example' }],
  },
  {
    name: 'split names',
    wish: 'Save leads as contacts. The full name must be divided into first name and last name.',
    events: [{ event: 'lead.created', data: { email: 'alan@three.example', name: 'Alan Turing' } }],
    expected: [
      { objectType: 'contacts', property: 'email', value: 'alan@three.example',
        properties: { firstname: 'Alan', lastname: 'Turing' } },
    ],
  },
  {
    name: 'nested payload',
    wish: 'The customer stands inside the payload. Save it as a contact with its phone.',
    events: [{ event: 'account.changed', data: { account: { owner: { email: 'edsger@four.example', phone: '+3112345' } } } }],
    expected: [{ objectType: 'contacts', property: 'email', value: 'edsger@four.example', properties: { phone: '+3112345' } }],
  },
  {
    name: 'companies',
    wish: 'Save accounts as companies, found by domain, with name and city. The website is an URL: take its domain.',
    events: [{ event: 'account.saved', data: { website: 'https://www.five.example/shop', title: 'Five', town: 'Wien' } }],
    expected: [{ objectType: 'companies', property: 'domain', value: 'five.example',
      properties: { name: 'Five', city: 'Wien' } }],
  },
  {
    name: 'contact of a company',
    wish: 'Save the person as a contact and the employer as a company (by domain), and link them.',
    events: [{ event: 'employee.joined', data: { person: { email: 'wile@six.example' },
      employer: { domain: 'six.example', name: 'Six' } } }],
    expected: [
      { objectType: 'contacts', property: 'email', value: 'wile@six.example', linkedTo: ['companies'] },
      { objectType: 'companies', property: 'domain', value: 'six.example', properties: { name: 'Six' } },
    ],
  },
  {
    name: 'only with an address',
    wish: 'Save visitors as contacts, but skip events without an email.',
    events: [
      { event: 'visitor.seen', data: { name: 'Nobody' } },
      { event: 'visitor.seen', data: { email: 'seen@seven.example', name: 'Somebody' } },
    ],
    expected: [{ objectType: 'contacts', property: 'email', value: 'seen@seven.example' }],
  },
  {
    name: 'update only',
    wish: 'customer.created makes a contact. customer.moved sets the city of the contact with that email.',
    events: [
      { event: 'customer.created', recordKey: 'eight', data: { email: 'kay@eight.example' } },
      { event: 'customer.moved', recordKey: 'eight', data: { email: 'kay@eight.example', city: 'Graz' } },
    ],
    expected: [{ objectType: 'contacts', property: 'email', value: 'kay@eight.example', properties: { city: 'Graz' } }],
  },
  {
    name: 'one flow for many types',
    wish: 'All events that begin with "member." carry the member: save it as a contact with its job title.',
    events: [
      { event: 'member.added', recordKey: 'nine', data: { email: 'barbara@nine.example', role: 'Engineer' } },
      { event: 'member.promoted', recordKey: 'nine', data: { email: 'barbara@nine.example', role: 'Director' } },
    ],
    expected: [{ objectType: 'contacts', property: 'email', value: 'barbara@nine.example',
      properties: { jobtitle: 'Director' } }],
  },
  {
    name: 'two sources of one field',
    wish: 'Save customers as contacts. The phone is the mobile number, or else the landline.',
    events: [{ event: 'customer.phoned', data: { email: 'tony@ten.example', mobile: null, landline: '+4420' } }],
    expected: [{ objectType: 'contacts', property: 'email', value: 'tony@ten.example', properties: { phone: '+4420' } }],
  },
];
