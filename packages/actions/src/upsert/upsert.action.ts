import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { associationsCheck, associationsField } from '../shared/associations-field';
import { fieldsAllowlist, fieldsField } from '../shared/fields-allowlist';
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
    fields: fieldsField,
    associations: associationsField,
  },
} as const satisfies StepFieldsSchema;

/** Updates the record with the given identity, or creates it (docs/reference/steps-and-actions.md, upsert). */
export const upsert = defineAction(configSchema)({
  name: 'upsert',
  title: 'Upsert',
  description: 'Searches the CRM by the identity value, updates what it finds and creates only if nothing matches.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Finds the record it wrote by its mapping or identity: writes the same values, never a second record.',
  repeat: 'again',
  required_checks: [targetAndEntity, associationsCheck],
  limits: [associationsLimit],
  rules: [fieldsAllowlist({ identityRequired: true, schema: 'crm' })],
  examples: [
    {
      title: 'A customer becomes a contact',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'Ada@Example.com', first_name: 'Ada' } },
      expect: {
        kind: 'done',
        output: {
          entity: 'contact',
          external_id: 'ada@example.com',
          crm_id: '101',
          created: true,
          updated: false,
          skipped: false,
          reason: null,
        },
      },
    },
    {
      title: 'Only some fields of a contact that exists, associated with its company',
      config: {
        target: 'crm',
        entity: 'contact',
        fields: ['email'],
        associations: [{ to_entity: 'company', to_external_id: '$.payload.domain' }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', first_name: 'Ada', domain: 'example.com' },
        records: [
          { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } },
          { objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } },
        ],
      },
      expect: {
        kind: 'done',
        output: {
          entity: 'contact',
          external_id: 'ada@example.com',
          crm_id: '501',
          created: false,
          updated: true,
          skipped: false,
          reason: null,
        },
      },
    },
    {
      title: 'Without an identity value nothing can be searched',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { first_name: 'Ada' } },
      expect: { kind: 'fail', code: 'identity_missing' },
    },
    {
      title: 'A REST destination takes post',
      config: { target: 'erp', entity: 'contact' },
      given: { entities: [contactEntity], payload: {} },
      expect: { kind: 'fail', code: 'target_not_crm' },
    },
  ],
  touches: ({ config, entities, ctx }) => touchesOfWrite(config, entities, ctx),
  run: ({ config, entities, ctx, before, ports: { crm } }) =>
    writeRecord({ action: 'upsert', config, entities, ctx, before, crm, write: (record) => crm.upsert(record) }),
});
