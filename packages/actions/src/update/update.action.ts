import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { associationsField, checkAssociations } from '../shared/associations-field';
import { companyEntity, contactEntity } from '../shared/order-examples';
import { entityField, targetField, unreadDataField } from '../shared/record-schemas';

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

/** Updates the record of the given identity; never creates one (docs/reference/steps-and-actions.md, update). */
export const update = describeAction(configSchema)({
  name: 'update',
  title: 'Update',
  description: 'Updates the record that the mapping or the identity value leads to; skips when there is none.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [{ fields: ['target', 'entity'], message: 'step requires target and entity', mode: 'all', equals: null }],
  limits: [],
  checks: [checkAssociations],
  examples: [
    {
      title: 'A changed customer',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com', first_name: 'Ada' } },
    },
    {
      title: 'A changed contact that moved to another company',
      config: {
        target: 'crm',
        entity: 'contact',
        associations: [{ to_entity: 'company', to_external_id: '$.payload.company.domain' }],
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { email: 'ada@example.com', company: { domain: 'example.com' } },
      },
    },
  ],
});
