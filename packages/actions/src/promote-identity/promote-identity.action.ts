import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { entityField, targetField } from '../shared/record-schemas';
import { targetIsTheCrm } from '../shared/target-checks';

const configSchema = {
  type: 'object',
  required: ['entity', 'crm_id', 'external_id'],
  properties: {
    target: { ...targetField, description: '`crm`, which is also meant when it is absent.' },
    entity: entityField,
    crm_id: { type: 'string', 'x-resolve': 'reference', description: 'CRM id of the record that was found by other means.' },
    external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id that the record gets.' },
  },
} as const satisfies StepFieldsSchema;

/** Gives a record found by other means its identity (docs/reference/steps-and-actions.md, update_by_id, promote_identity). */
export const promoteIdentity = describeAction(configSchema)({
  name: 'promote_identity',
  title: 'Promote identity',
  description: 'Writes the identity property of a record that was found by other means and saves its mapping.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [
    {
      fields: ['entity', 'crm_id', 'external_id'],
      message: 'promote_identity requires entity, crm_id and external_id',
      mode: 'all',
      equals: null,
    },
  ],
  limits: [],
  checks: [targetIsTheCrm],
  examples: [
    {
      title: 'A contact that was found by its phone number',
      config: { entity: 'contact', crm_id: '$find.crm_id', external_id: '$.payload.email' },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com' },
        outputs: { find: { found: true, crm_id: '501' } },
      },
    },
    {
      title: 'Only when it was found',
      config: { target: 'crm', entity: 'contact', crm_id: '$find.crm_id', external_id: '$.external_id' },
      given: { entities: [contactEntity], payload: {}, external_id: 'ada@example.com', outputs: { find: { found: false } } },
    },
  ],
});
