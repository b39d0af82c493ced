import type { Step } from '@sluice/contracts';
import { allActionNames } from './action-names';
import { checkStep } from './check-step';
import { findAction } from './registry';
import { contactEntity } from './shared/order-examples';

type Row = [step: Record<string, unknown>, problems: string[]];

const types = (fields: Record<string, unknown>): string[] => {
  const step = { id: 'it', ...fields } as unknown as Step;
  const flow = { name: 'f', source: 's', event_type: 't', steps: [step] };
  return checkStep({ step, flow, config: { version: '3.1', entities: [contactEntity], flows: [flow], sources: [] } }).map(
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
    [{ ...associate, target: 'erp' }, ['value_error target']],
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
    // None of them once every action is there.
    ...allActionNames.filter((name) => !findAction(name)).map((name): Row => [{ action: name }, ['action_not_available action']]),
    [{ action: 'toString' }, ['unknown_action action']],
  ])('%j: %j', (fields, expected) => {
    expect(types(fields)).toEqual(expected);
  });
});
