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

/** Creates a record unless its external id is mapped already (docs/reference/steps-and-actions.md, create, update). */
export const create = describeAction(configSchema)({
  name: 'create',
  title: 'Create',
  description: 'Creates a record. An external id that is mapped already is skipped without a look at the CRM.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [{ fields: ['target', 'entity'], message: 'step requires target and entity', mode: 'all', equals: null }],
  limits: [],
  checks: [checkAssociations],
  examples: [
    {
      title: 'A new customer becomes a contact',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com', first_name: 'Ada' } },
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
      },
    },
  ],
});
