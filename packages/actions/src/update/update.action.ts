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
const adaUpdated = {
  entity: 'contact', external_id: 'ada@example.com', crm_id: '501', created: false, updated: true, skipped: false, reason: null,
};

/** Updates the record of the given identity; never creates one (docs/reference/steps-and-actions.md, create, update). */
export const update = defineAction(configSchema)({
  name: 'update',
  title: 'Update',
  description: 'Updates the record that the mapping or the identity value leads to; skips when there is none.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Writes the same values to the same record; never makes one.',
  repeat: 'again',
  required_checks: [targetAndEntity, associationsCheck],
  limits: [associationsLimit],
  rules: [],
  examples: [
    {
      title: 'A changed customer',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com', first_name: 'Ada' }, records: [ada] },
      expect: { kind: 'done', output: { ...adaUpdated } },
    },
    {
      title: 'A changed contact with its new company',
      config: {
        target: 'crm',
        entity: 'contact',
        associations: [{ to_entity: 'company', to_external_id: '$.payload.company.domain' }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', company: { domain: 'example.com' } },
        records: [ada, { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } }],
      },
      expect: { kind: 'done', output: { ...adaUpdated } },
    },
    {
      title: 'A customer that the CRM does not have',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'bob@example.com' }, records: [ada] },
      expect: {
        kind: 'done',
        output: { external_id: 'bob@example.com', crm_id: null, updated: false, skipped: true, reason: 'record_not_found' },
      },
    },
  ],
  touches: ({ config, entities, ctx }) => touchesOfWrite(config, entities, ctx),
  run: ({ config, entities, ctx, before, ports: { crm } }) =>
    writeRecord({ action: 'update', config, entities, ctx, before, crm, write: (record) => crm.update(record) }),
});
