import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { associationsCheck, associationsField } from '../shared/associations-field';
import { companyEntity, contactEntity } from '../shared/order-examples';
import { entityField, targetAndEntity, targetField, unreadDataField } from '../shared/record-schemas';
import { touchesOfWrite, writeRecord } from '../shared/write-record';
import { associationsLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['target', 'entity'],
  properties: {
    target: targetField,
    entity: { ...entityField, description: "Entity whose `crm` schema's field_mappings are written." },
    data: unreadDataField,
    associations: associationsField,
  },
} as const satisfies StepFieldsSchema;

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const created = {
  entity: 'contact',
  external_id: 'ada@example.com',
  created: true,
  updated: false,
  skipped: false,
  reason: null,
};

/** Creates a record unless its external id is mapped already (docs/reference/steps-and-actions.md, create, update). */
export const create = defineAction(configSchema)({
  name: 'create',
  title: 'Create',
  description: 'Creates a record. An external id that is mapped already is skipped without a look at the CRM.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Finds its mapping, or the record that its own earlier attempt made: never makes a second one.',
  repeat: 'again',
  required_checks: [targetAndEntity, associationsCheck],
  limits: [associationsLimit],
  rules: [],
  examples: [
    {
      title: 'A new customer becomes a contact',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com', first_name: 'Ada' } },
      expect: { kind: 'done', output: { ...created, crm_id: '101' } },
    },
    {
      title: 'A new contact with its company',
      config: {
        target: 'crm',
        entity: 'contact',
        associations: [{ to_entity: 'company', to_external_id: '$.payload.company.domain' }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', company: { domain: 'example.com' } },
        records: [{ objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } }],
      },
      expect: { kind: 'done', output: { ...created, crm_id: '101' } },
    },
    {
      title: 'A customer that is mapped already',
      config: { target: 'crm', entity: 'contact' },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com', first_name: 'Ada' },
        records: [{ ...ada, mapped: { entity: 'contact', externalId: 'ada@example.com' } }],
      },
      expect: { kind: 'done', output: { ...created, crm_id: '501', created: false, skipped: true, reason: 'already_mapped' } },
    },
    {
      title: 'A contact that the CRM has already: it is left as it is, and gets no mapping',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com', first_name: 'Ada' }, records: [ada] },
      expect: { kind: 'done', output: { ...created, crm_id: '501', created: false, skipped: true, reason: 'already_exists' } },
    },
  ],
  touches: ({ config, entities, ctx }) => touchesOfWrite(config, entities, ctx),
  run: ({ config, entities, ctx, before, ports: { crm } }) =>
    writeRecord({ action: 'create', config, entities, ctx, before, crm, write: (record) => crm.create(record) }),
});
