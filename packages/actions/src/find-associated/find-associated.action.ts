import type { StepRule } from '../action-definition';
import { done, failed, permanent } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { companyEntity, contactEntity } from '../shared/order-examples';
import { entityField, propertiesField } from '../shared/record-schemas';
import { propertiesLimit, savedLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['entity', 'source', 'associations'],
  properties: {
    entity: { ...entityField, description: 'Entity of the record whose associations are read.' },
    source: { type: 'string', 'x-resolve': 'reference', description: 'CRM id of that record.' },
    associations: {
      type: 'array',
      minItems: 1,
      description: 'What is read: each entry gives the field `as` of the output.',
      items: {
        type: 'object',
        required: ['entity', 'as'],
        additionalProperties: false,
        properties: {
          entity: { ...entityField, description: 'Entity of the associated records.' },
          as: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]*$', description: 'Name of the field in the output.' },
          cardinality: { type: 'string', enum: ['one', 'many'], default: 'one', description: 'One record or null, or a list.' },
          properties: propertiesField,
        },
      },
    },
  },
} as const satisfies StepFieldsSchema;

const namesAreDistinct: StepRule = {
  fields: ['associations[].as'],
  message: `names in 'as' must differ, and 'found' is taken`,
  find: ({ step: { associations } }) => {
    const seen = new Set<unknown>(['found']);
    return (Array.isArray(associations) ? (associations as unknown[]) : []).flatMap((entry, index) => {
      const name = entry !== null && typeof entry === 'object' ? (entry as Record<string, unknown>).as : undefined;
      const again = typeof name === 'string' && seen.has(name);
      seen.add(name);
      const path = ['associations', index, 'as'];
      return again ? [{ path, type: 'duplicate_name', msg: `'${name}' is taken: ${namesAreDistinct.message}`, input: name }] : [];
    });
  },
};

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const example = { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } };

/** Reads the records that a CRM record is associated with (docs/reference/steps-and-actions.md, find_associated). */
export const findAssociated = defineAction(configSchema)({
  name: 'find_associated',
  title: 'Find associated',
  description: 'Reads the records that are associated with a CRM record.',
  category: 'crm',
  min_version: '3.0',
  effect: 'read',
  uses: ['crm'],
  on_repeat: 'Reads again, as long as the event has changed nothing; then what it found first counts.',
  repeat: 'kept',
  required_checks: [
    {
      fields: ['entity', 'source', 'associations'],
      message: 'find_associated requires entity, source and associations',
      mode: 'all',
      equals: null,
    },
  ],
  limits: [
    savedLimit('associations', 20, 'entries in associations'),
    { ...propertiesLimit, fields: ['associations[].properties'] },
    {
      on: 'port', id: 'records', call: 'associated_records', max: 500, unit: 'items', over: 'cut', checked: ['attempt'],
      what: 'associated records of an entry, the first',
    },
  ],
  rules: [namesAreDistinct],
  examples: [
    {
      title: 'The company of a contact',
      config: {
        entity: 'contact',
        source: '$find.crm_id',
        associations: [{ entity: 'company', as: 'company', cardinality: 'one', properties: ['domain'] }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: {},
        outputs: { find: { found: true, crm_id: '501' } },
        records: [ada, example],
        links: [['501', '900']],
      },
      expect: {
        kind: 'done',
        output: { found: true, company: { crm_id: '900', properties: { domain: 'example.com' } } },
      },
    },
    {
      title: 'All contacts of a company',
      config: {
        entity: 'company',
        source: '$.payload.object.id',
        associations: [{ entity: 'contact', as: 'people', cardinality: 'many', properties: ['email'] }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { object: { id: 900 } },
        records: [ada, example],
        links: [['501', '900']],
      },
      expect: {
        kind: 'done',
        output: { found: true, people: [{ crm_id: '501', properties: { email: 'ada@example.com' } }] },
      },
    },
    {
      title: 'Without the record nothing is found',
      config: { entity: 'contact', source: '$find.crm_id', associations: [{ entity: 'company', as: 'company' }] },
      given: { entities: [contactEntity, companyEntity], payload: {}, outputs: { find: { found: false, crm_id: null } } },
      expect: { kind: 'done', output: { found: false, company: null } },
    },
  ],
  // Steps that name the record in another way may change its associations.
  touches: () => null,
  run: async ({ config, entities, ports }) => {
    const names = [config.entity, ...config.associations.map(({ entity }) => entity)];
    const types = names.map((name) => entities.get(name)?.objectType);
    const [objectType, ...toTypes] = types;
    const unknown = types.findIndex((type) => !type);
    if (!objectType || unknown >= 0)
      return permanent('unknown_entity', `find_associated: entity '${names[unknown]}' has no CRM object type`);
    const id = idText(config.source);
    const answers = await Promise.all(
      config.associations.map(({ properties }, index) =>
        id === null
          ? { ok: true as const, value: [] }
          : ports.crm.associated({ objectType, crmId: id, toObjectType: toTypes[index]!, properties: [...(properties ?? [])] }),
      ),
    );
    const output: Record<string, unknown> = { found: id !== null };
    for (const [index, answer] of answers.entries()) {
      if (!answer.ok) return failed(answer);
      const { as: name, cardinality } = config.associations[index]!;
      const [first = null] = answer.value;
      output[name] = cardinality === 'many' ? answer.value : first;
      if (cardinality !== 'many' && first === null) output.found = false;
    }
    return done(output);
  },
});

function idText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
