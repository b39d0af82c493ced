import { associate, entity, eventApi, number, onto, own, personEntity, type Template, upsert } from '../template';

const account = upsert('account', 'account');
const person = upsert('person', 'person', { when: { exists: '$.payload.contact.email' } });

/** Customer accounts of an ERP, found by their number: several may share a domain, or have none. */
export const erpAccounts: Template = {
  id: 'erp-accounts',
  name: 'ERP accounts to companies',
  description:
    'Send account.created and account.changed of an ERP: the account becomes a company, unique by its account number, with address, credit ' +
    'limit and turnover; its contact person becomes a contact of that company.',
  config: {
    version: '3.0',
    entities: [
      entity('account', 'companies', 'erp_account_number', [
        own('$.payload.account_number', 'erp_account_number', 'ERP account number', {
          transform: ['to_string', { name: 'pad_start', args: { length: 8, fill: '0' } }],
        }),
        onto('$.payload.name', 'name', 'trim'),
        onto('$.payload.address.street', 'address'),
        onto('$.payload.address.postcode', 'zip', 'to_string'),
        onto('$.payload.address.city', 'city'),
        onto('$.payload.address.country', 'country', 'uppercase'),
        own('$.payload.credit_limit', 'erp_credit_limit', 'ERP credit limit', { ...number, transform: ['to_number'] }),
        own('$.payload.turnover', 'erp_turnover', 'ERP turnover', { ...number, transform: ['to_number'] }),
      ]),
      personEntity(
        'person',
        '$.payload.contact',
        onto('$.payload.first_name', 'firstname', 'trim'),
        onto('$.payload.last_name', 'lastname', 'trim'),
        onto('$.payload.role', 'jobtitle'),
      ),
    ],
    flows: [
      {
        name: 'accounts',
        source: 'event_api',
        event_type: 'account.*',
        steps: [account, person, associate('works_for', person, account, { when: { exists: '$.payload.contact.email' } })],
      },
    ],
    sources: eventApi,
  },
  sampleEvents: [
    {
      event: 'account.created',
      recordKey: '4711',
      data: {
        account_number: 4711,
        name: 'Miller & Sons',
        credit_limit: '5000',
        turnover: 120000.5,
        address: { street: 'Mill Lane 1', postcode: 10115, city: 'Berlin', country: 'de' },
        contact: { email: 'jo@miller.example', first_name: 'Jo', last_name: 'Miller', role: 'Purchasing' },
      },
    },
    { event: 'account.changed', recordKey: '4711', data: { account_number: 4711, credit_limit: 7500 } },
  ],
};
