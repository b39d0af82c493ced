import type { Step } from '@sluice/contracts';
import { eventApi, type Template } from '../template';

const path = '/customers/{$.payload.object.id}';

/** The contact as it now is; the shop's own id of it is kept. */
const send: Step = {
  id: 'send', action: 'post', target: 'shop', method: 'PUT', url: path, entity: 'contact', external_id_from: '$.id',
};
const remove: Step = { id: 'remove', action: 'delete', target: 'shop', entity: 'contact', url: '/customers/{external_id}' };

/** Contacts of the CRM in another system, by its REST API. */
export const crmContactsToRest: Template = {
  id: 'crm-contacts-to-rest',
  name: 'CRM contacts to a REST API',
  description:
    'Contacts that change in the CRM are put into another system by its REST API; contacts that are deleted there are ' +
    'deleted here. Set base_url of the source shop, and credential_name where its API needs one. Send contact.changed ' +
    'and contact.deleted to the event API, for example from a workflow of the CRM, with the contact as data.object {id, ' +
    'properties}; or add a source of type crm, which reads the change journal, and let the flows take its event types ' +
    '0-1.create, 0-1.update and 0-1.delete. The answer to a PUT must carry the id of the customer in id.',
  config: {
    version: '3.0',
    entities: [
      {
        name: 'contact',
        schemas: {
          crm: { object_type: 'contacts', identity_source_path: '$.payload.object.id' },
          shop: {
            field_mappings: [
              { source: '$.payload.object.id', target: 'crm_id' },
              { source: '$.payload.object.properties.email', target: 'email', transform: ['normalize_email'] },
              { source: '$.payload.object.properties.firstname', target: 'first_name' },
              { source: '$.payload.object.properties.lastname', target: 'last_name' },
              { source: '$.payload.object.properties.phone', target: 'phone' },
            ],
          },
        },
      },
    ],
    flows: [
      { name: 'contact changed', source: 'event_api', event_type: 'contact.changed', steps: [send] },
      { name: 'contact deleted', source: 'event_api', event_type: 'contact.deleted', steps: [remove] },
    ],
    sources: [...eventApi, { name: 'shop', type: 'rest', config: { base_url: 'https://shop.example.com/api' } }],
  },
  sampleEvents: [
    {
      event: 'contact.changed',
      recordKey: '501',
      data: { object: { id: '501', properties: { email: 'Ada@Shop.example', firstname: 'Ada', lastname: 'Lovelace' } } },
    },
    { event: 'contact.deleted', recordKey: '501', data: { object: { id: '501' } } },
  ],
};
