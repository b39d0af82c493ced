import type { Entity, Step } from '@sluice/contracts';
import type { FlowCase } from '../test-support/attempt-lab';

const map = (source: string, target: string): { source: string; target: string } => ({ source, target });

/** Kept unique by the CRM; its mapping is known by another id than its identity value. */
const customer: Entity = {
  name: 'customer',
  schemas: {
    crm: {
      object_type: 'contacts',
      identity: { property: 'email' },
      identity_source_path: '$.payload.id',
      field_mappings: [map('$.payload.email', 'email'), map('$.payload.name', 'firstname')],
    },
  },
};
/** Searched for. */
const order: Entity = {
  name: 'order',
  on_target_deleted: 'recreate',
  schemas: {
    crm: {
      object_type: 'deals',
      identity: { property: 'description' },
      field_mappings: [
        map('$.payload.number', 'description'),
        map('$.payload.title', 'dealname'),
        map('$.payload.stage', 'dealstage'),
        map('$.payload.amount', 'amount'),
      ],
    },
  },
};
const company: Entity = {
  name: 'company',
  schemas: {
    crm: {
      object_type: 'companies',
      identity: { property: 'domain' },
      field_mappings: [map('$.payload.domain', 'domain'), map('$.payload.domain', 'name')],
    },
  },
};

/** A deal that nobody gave an order number yet. */
const inquiry: Entity = {
  name: 'inquiry',
  schemas: {
    crm: {
      object_type: 'deals',
      identity: { property: 'dealname' },
      field_mappings: [map('$.payload.phone', 'dealname'), map('$.payload.stage', 'dealstage')],
    },
  },
};

/** The same people, known by their address alone. */
const prospect: Entity = {
  name: 'prospect',
  schemas: {
    crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: [map('$.payload.email', 'email')] },
  },
};

const entities = [customer, order, company, inquiry, prospect];
const payload = {
  id: 'C-1',
  email: 'ada@shop.test',
  name: 'Ada',
  number: 'N-1',
  title: 'First',
  stage: 'appointmentscheduled',
  amount: 10,
  domain: 'shop.test',
  people: [{ id: 'C-1' }],
};
const write = (action: string, entity: string, more: object = {}): Step => ({
  id: `${action}_${entity}`,
  action,
  target: 'crm',
  entity,
  ...more,
});
const associations = [{ to_entity: 'order', to_external_id: '$.payload.number' }];
const ends = {
  target: 'crm',
  from_entity: 'customer',
  from_external_id: '$.payload.id',
  to_entity: 'order',
  to_external_id: '$.payload.number',
};
const made = [write('upsert', 'customer'), write('upsert', 'order'), write('upsert', 'company')];
const linked: Step[] = [...made, { id: 'link', action: 'associate', ...ends }];
const before = [{ steps: linked, payload }];
const newer = { ...payload, name: 'Augusta', title: 'Second', amount: 20 };
const after = { steps: made, payload: newer };
const find: Step = { id: 'f', action: 'find', target: 'crm', entity: 'customer', match: { email: '$.payload.email' } };

/** Flows of every CRM action, on identities of both kinds. The test beside this file cuts each of their calls once. */
export const representativeFlows: readonly FlowCase[] = [
  { name: 'upsert and associate', entities, steps: linked, payload, after },
  {
    name: 'upsert with associations',
    entities,
    steps: [made[1]!, write('upsert', 'customer', { associations })],
    payload,
    after,
  },
  {
    name: 'create and associate',
    entities,
    steps: [write('create', 'order'), write('create', 'customer', { associations })],
    payload,
    after,
  },
  {
    name: 'create over records that are there',
    entities,
    steps: [write('create', 'customer'), write('create', 'inquiry')],
    // With another value than the record has: one that holds all of the event's values would count as its own.
    payload: { ...newer, phone: 'First', stage: 'qualifiedtobuy' },
    before: [{ steps: [write('upsert', 'prospect'), write('upsert', 'order')], payload }],
  },
  {
    name: 'update',
    entities,
    steps: [write('update', 'customer'), write('update', 'order', {})],
    payload: { ...newer, title: 'Third' },
    before,
    after,
  },
  {
    name: 'find, update_by_id and find_associated',
    entities,
    payload: newer,
    before,
    after,
    steps: [
      find,
      {
        id: 'w',
        action: 'update_by_id',
        target: 'crm',
        entity: 'customer',
        object_id: '$f.crm_id',
        data: { phone: '{$.payload.amount}' },
      },
      {
        id: 'n',
        action: 'find_associated',
        entity: 'customer',
        source: '$f.crm_id',
        associations: [{ entity: 'order', as: 'deals', cardinality: 'many', properties: ['description'] }],
      },
      {
        id: 'u',
        action: 'update_by_id',
        target: 'crm',
        object_type: 'deals',
        object_id: '$n.deals[0].crm_id',
        data: { amount: '7' },
      },
    ],
  },
  {
    name: 'query and update_by_id',
    entities,
    payload: newer,
    before,
    steps: [
      {
        id: 'q',
        action: 'query',
        target: 'crm',
        entity: 'order',
        properties: ['dealname'],
        filters: [{ property: 'description', operator: 'EQ', value: '$.payload.number' }],
      },
      { id: 'u', action: 'update_by_id', target: 'crm', entity: 'order', object_id: '$q.rows[0].crm_id', data: { amount: '7' } },
    ],
  },
  { name: 'dissociate', entities, steps: [{ id: 'd', action: 'dissociate', ...ends }], payload, before },
  {
    name: 'associate and replace',
    entities,
    payload,
    before,
    steps: [
      write('upsert', 'order', { id: 'o' }),
      {
        id: 'r',
        action: 'associate',
        target: 'crm',
        from_entity: 'order',
        from_external_id: '$.payload.number',
        to_entity: 'customer',
        items: '$.payload.people',
        to_external_id: '$._item.id',
        replace: true,
      },
    ],
  },
  { name: 'delete', entities, steps: [write('delete', 'customer'), write('delete', 'order')], payload, before, after },
  {
    name: 'delete and make anew',
    entities,
    steps: [write('delete', 'customer'), write('upsert', 'customer')],
    payload: newer,
    before,
  },
  {
    name: 'promote_identity',
    entities,
    payload: { ...payload, phone: '0043' },
    before: [{ steps: [write('upsert', 'inquiry')], payload: { phone: '0043', stage: 'appointmentscheduled' } }],
    steps: [
      { id: 'f', action: 'find', target: 'crm', object_type: 'deals', match: { dealname: '$.payload.phone' } },
      { id: 'p', action: 'promote_identity', entity: 'order', crm_id: '$f.crm_id', external_id: '$.payload.number' },
    ],
  },
];
