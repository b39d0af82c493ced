import type { Entity, Step } from '@sluice/contracts/config-document';
import { compileEntity } from './compiled-entity';
import { stepSignature, type StepSignature } from './step-signature';

const entity = (name: string, objectType: string): Entity => ({
  name,
  schemas: { crm: { object_type: objectType, identity: { property: 'email' }, field_mappings: [{ source: '$.payload.e', target: 'email' }] } },
});
const entities = (objectType = 'contacts') =>
  new Map([entity('person', objectType), entity('firm', 'companies')].map((one) => [one.name, compileEntity(one)]));
const step: Step = { id: 'save', action: 'upsert', target: 'crm', entity: 'person', fields: ['email'] };
const before = stepSignature(step, entities());
const differs = (after: StepSignature) => ({ about: after.about !== before.about, authored: after.authored !== before.authored });

describe('the signature of a step', () => {
  it.each<[string, Step, string, { about: boolean; authored: boolean }]>([
    ['the same step', { ...step }, 'contacts', { about: false, authored: false }],
    ['another condition', { ...step, when: { exists: '$.payload.x' } }, 'contacts', { about: false, authored: false }],
    ['another field', { ...step, fields: ['email', 'city'] }, 'contacts', { about: false, authored: true }],
    ['another id', { ...step, id: 'other' }, 'contacts', { about: false, authored: true }],
    ['another action', { ...step, action: 'create' }, 'contacts', { about: true, authored: true }],
    ['another target', { ...step, target: 'erp' }, 'contacts', { about: true, authored: true }],
    ['another entity', { ...step, entity: 'firm' }, 'contacts', { about: true, authored: true }],
    ['another partner', { ...step, to_entity: 'firm' }, 'contacts', { about: true, authored: true }],
    ['another object type', { ...step, object_type: 'deals' }, 'contacts', { about: true, authored: true }],
    ['another object type of its entity', step, '2-77', { about: true, authored: true }],
  ])('%s', (_what, after, objectType, expected) => {
    expect(differs(stepSignature(after, entities(objectType)))).toEqual(expected);
  });
});
