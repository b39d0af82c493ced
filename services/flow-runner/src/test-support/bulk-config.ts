import type { ConfigDocument, Step } from '@sluice/contracts';
import { shopConfig } from './runner-lab';

const map = (source: string, target: string) => ({ source, target });
const save: Step = { id: 'save', action: 'upsert_many', target: 'crm', entity: 'person', items: '$.payload.people' };
const link: Step = {
  id: 'link',
  action: 'associate_many',
  target: 'crm',
  items: '$.payload.people',
  from_entity: 'person',
  from_external_id: '$._item.email',
  to_entity: 'firm',
  to_external_id: '$._item.domain',
};
const one = (entity: string): Step => ({ id: entity, action: 'upsert', target: 'crm', entity });
const flow = (name: string, steps: Step[]) => ({ name, source: 'event_api', event_type: name, steps });

/** People by a unique property, firms by one that has to be searched. */
export const bulkConfig: ConfigDocument = {
  ...shopConfig,
  entities: [
    {
      name: 'person',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [map('$.payload.email', 'email'), map('$.payload.name', 'firstname')],
        },
      },
    },
    {
      name: 'firm',
      schemas: {
        crm: {
          object_type: 'companies',
          identity: { property: 'domain' },
          field_mappings: [map('$.payload.domain', 'domain')],
        },
      },
    },
  ],
  flows: [
    flow('people', [save]),
    flow('small', [{ ...save, chunk_size: 40 }]),
    flow('linked', [save, link]),
    flow('firm', [one('firm')]),
    flow('update', [{ ...save, action: 'update_many' }]),
    flow('create', [{ ...save, action: 'create_many' }]),
    flow('delete', [{ ...save, action: 'delete_many', external_id: '$._item.email' }]),
    flow('single', [
      { id: 'seek', action: 'find', target: 'crm', entity: 'person', match: { email: '$.payload.email' } },
      one('person'),
      {
        id: 'join',
        action: 'associate',
        target: 'crm',
        from_entity: 'person',
        from_external_id: '$.payload.email',
        to_entity: 'firm',
        to_external_id: '$.payload.domain',
      },
    ]),
  ],
};

/** The domain of the one firm. */
export const firmDomain = 'firm.test';

export const bulkPeople = (count: number, name = 'p') =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}${index}@${firmDomain}`, name, domain: firmDomain }));
