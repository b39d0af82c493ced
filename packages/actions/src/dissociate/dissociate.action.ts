import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { associationChecks, associationEnds } from '../shared/association-ends';
import { chunkSizeField, itemsField } from '../shared/bulk-fields';
import { companyEntity, contactEntity } from '../shared/order-examples';

const configSchema = {
  type: 'object',
  required: ['target', 'from_entity', 'from_external_id', 'to_entity', 'to_external_id'],
  properties: {
    ...associationEnds,
    items: { ...itemsField, description: 'A list: one association per element.' },
    chunk_size: { ...chunkSizeField, description: 'Associations per call to the CRM.' },
  },
} as const satisfies StepFieldsSchema;

/** Removes associations between two records (docs/reference/steps-and-actions.md, dissociate). */
export const dissociate = describeAction(configSchema)({
  name: 'dissociate',
  title: 'Dissociate',
  description: 'Removes the association of two records, each resolved by external id. A missing id or record is no failure.',
  category: 'crm',
  min_version: '3.0',
  required_checks: associationChecks('dissociate'),
  limits: [{ id: 'chunk_size', text: 'At most 100 associations per call.' }],
  checks: [],
  examples: [
    {
      title: 'A contact who left its company',
      config: {
        target: 'crm',
        from_entity: 'contact',
        from_external_id: '$.payload.email',
        to_entity: 'company',
        to_external_id: '$.payload.domain',
      },
      given: { entities: [contactEntity, companyEntity], payload: { email: 'ada@example.com', domain: 'example.com' } },
    },
    {
      title: 'A company and a list of contacts',
      config: {
        target: 'crm',
        from_entity: 'company',
        from_external_id: '$.payload.domain',
        to_entity: 'contact',
        items: '$.payload.left',
        to_external_id: '$._item.email',
      },
      given: {
        entities: [contactEntity, companyEntity],
        payload: { domain: 'example.com', left: [{ email: 'ada@example.com' }] },
      },
    },
  ],
});
