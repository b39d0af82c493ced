import type { ConfigDocument, Step } from '@sluice/contracts';
import { checkStep } from './check-step';
import { canonicalContact, contactEntity } from './shared/order-examples';

type Row = [step: Record<string, unknown>, problems: string[]];

const federated = { ...canonicalContact, name: 'federated' };

const types = (fields: Record<string, unknown>): string[] => {
  const step = { id: 'it', ...fields } as Step;
  const flow = { name: 'f', source: 's', event_type: 't', steps: [step] };
  const config: ConfigDocument = { version: '3.1', entities: [contactEntity, federated], flows: [flow], sources: [] };
  return checkStep({ step, flow, config }).map(
    (one) => `${one.type} ${one.path.join('.')}`,
  );
};
const associate = {
  action: 'associate',
  target: 'crm',
  from_entity: 'contact',
  from_external_id: '$.payload.a',
  to_entity: 'contact',
  to_external_id: '$.payload.b',
};

describe('checkStep', () => {
  it.each<Row>([
    [associate, []],
    [{ ...associate, to_external_id: 'C-{$.payload.b}' }, []],
    [{ ...associate, items: 'payload.x' }, ['reference_invalid items']],
    [{ ...associate, to_external_id: 'b' }, ['reference_invalid to_external_id']],
    [{ ...associate, from_entity: '' }, ['missing from_entity']],
    [{ action: 'find', target: 'crm', entity: 'contact' }, ['missing match']],
    [{ action: 'find', target: 'crm', match: { a: 1 } }, ['missing entity']],
    [{ action: 'find', target: 'crm', object_type: 'contacts', external_id: '$.payload.a' }, ['missing entity']],
    [{ action: 'find', target: 'crm', entity: 'contact', match: { email: '$.nope' } }, ['reference_invalid match']],
    [{ action: 'skip' }, []],
    [{ action: 'skip', reason: '{$.payload[?(@.a)]}' }, ['script_invalid reason']],
    [{ action: 'upsert' }, ['missing target', 'missing entity']],
    [
      { action: 'associate', target: 'crm', to_entity: 'contact' },
      ['missing from_entity', 'missing from_external_id', 'missing to_external_id'],
    ],
    [{ ...associate, association_category: 'USER_DEFINED' }, ['missing association_type_id']],
    [{ action: 'upsert', target: 'erp', entity: 'contact' }, []],
    [{ action: 'upsert', target: 'crm', entity: 'contact', fields: ['email', 'firstname'] }, []],
    [{ action: 'upsert', target: 'crm', entity: 'nobody', fields: ['email'] }, ['fields_allowlist fields']],
    [
      {
        action: 'upsert',
        target: 'crm',
        entity: 'contact',
        associations: [{ to_entity: 'contact', to_external_id: '$.payload.a', association_category: 'USER_DEFINED' }],
      },
      ['association_category_without_type_id associations.0.association_category'],
    ],
    [{ action: 'create' }, ['missing target', 'missing entity']],
    [{ action: 'update', target: 'crm' }, ['missing entity']],
    [{ action: 'delete', entity: 'contact' }, ['missing target']],
    [{ action: 'delete', target: 'crm', entity: 'contact' }, []],
    [{ action: 'delete', target: 'shop', entity: 'contact' }, ['missing url']],
    [{ action: 'delete', target: 'shop', entity: 'contact', url: '/c/{$.payload.id}' }, ['value_error url']],
    [{ action: 'delete', target: 'shop', entity: 'contact', url: '/{$.payload.a}/{external_id}' }, []],
    [{ ...associate, action: 'dissociate', association_category: 'USER_DEFINED' }, ['missing association_type_id']],
    [
      { action: 'upsert_many', target: 'crm', entity: 'contact', items: '$.payload.all', fields: ['firstname', 'nope'] },
      ['fields_allowlist fields.1', 'fields_allowlist fields'],
    ],
    [{ action: 'post', target: 'crm', url: '/x' }, ['value_error target']],
    [
      { action: 'post', target: 'erp', url: '/x', entity: 'contact', external_id_from: '$.data[?(@.id)]' },
      ['script_invalid external_id_from'],
    ],
    [{ action: 'notify', url: '/hook' }, ['value_error url']],
    [{ action: 'notify', url: '/hook', target: 'erp' }, []],
    [
      { action: 'query', target: 'crm', object_type: 'deals', filters: [{ property: 'a', operator: 'EQ' }] },
      ['missing filters.0.value'],
    ],
    [
      { action: 'query', target: 'crm', object_type: 'deals', filters: [{ property: 'a', operator: 'BETWEEN', value: 1 }] },
      ['missing filters.0.high_value'],
    ],
    [{ action: 'query', target: 'crm', object_type: 'deals', filters: [{ property: 'a', operator: 'NOT_HAS_PROPERTY' }] }, []],
    [
      { action: 'query', target: 'crm', object_type: 'deals', filters: [], filter_groups: [] },
      ['value_error filter_groups'],
    ],
    [
      {
        action: 'find_associated',
        entity: 'contact',
        source: '$.payload.id',
        associations: [{ entity: 'contact', as: 'a' }, { entity: 'contact', as: 'a' }],
      },
      ['duplicate_name associations.1.as'],
    ],
    [{ action: 'transform', entity: 'contact', to_schema: 'erp' }, ['missing from_schema']],
    [{ action: 'upload_file', filename: 'a.txt' }, ['missing content']],
    [{ action: 'upload_file', filename: 'a.txt', content: '$.payload.c', external_id: '$.payload.a' }, ['missing entity']],
    [{ action: 'update_by_id', target: 'crm', object_type: 'deals', object_id: '$.payload.id' }, ['missing data']],
    [{ action: 'submit_form', fields: [] }, ['missing form_id']],
    [{ action: 'delete_attachments', entity: 'contact' }, ['missing external_id']],
    [{ action: 'plugin' }, ['missing plugin']],
    [{ action: 'plugin', plugin: {} }, ['missing plugin.logical_name']],
    [{ action: 'toString' }, ['unknown_action action']],
  ])('%j: %j', (fields, expected) => {
    expect(types(fields)).toEqual(expected);
  });

  it('associate, dissociate, associate_many and promote_identity act on the CRM only', () => {
    const promote = { action: 'promote_identity', entity: 'contact', crm_id: '$.payload.a', external_id: '$.payload.b' };
    const many = { action: 'associate_many', items: '$.payload.all' };
    for (const step of [associate, { ...associate, action: 'dissociate' }, { ...associate, ...many }, promote]) {
      expect(types({ ...step, target: 'erp' })).toEqual(['value_error target']);
      expect(types({ ...step, target: 'crm' })).toEqual([]);
    }
  });

  it('bulk actions need items, delete_many an external id too, and act on the CRM only', () => {
    for (const action of ['upsert_many', 'create_many', 'update_many', 'delete_many']) {
      const step = { action, target: 'crm', entity: 'contact', ...(action === 'delete_many' && { external_id: '$._item.id' }) };
      expect(types(step)).toEqual(['missing items']);
      expect(types({ ...step, items: '$.payload.all' })).toEqual([]);
      expect(types({ ...step, items: '$.payload.all', target: 'erp' })).toEqual(['value_error target']);
    }
    expect(types({ ...associate, action: 'associate_many' })).toEqual(['missing items']);
    expect(types({ action: 'delete_many', target: 'crm', entity: 'contact', items: '$.payload.all' })).toEqual(['missing external_id']);
  });

  it('fields of post are targets of the schema of its destination', () => {
    const post = { action: 'post', target: 'erp', url: '/x' };
    expect(types({ ...post, fields: ['email'] })).toEqual(['missing entity']);
    expect(types({ ...post, entity: 'contact', fields: ['email'] })).toEqual(['fields_allowlist fields']);
    expect(types({ ...post, entity: 'federated', fields: ['mail_address'] })).toEqual([]);
    expect(types({ ...post, entity: 'federated', fields: ['email'] })).toEqual(['fields_allowlist fields.0']);
  });

  it('export_file reads rows of an earlier step only', () => {
    expect(types({ action: 'export_file', rows: '$.payload.rows' })).toEqual(['value_error rows']);
    expect(types({ action: 'export_file', rows: '$later.rows' })).toEqual(['value_error rows']);
  });
});
