import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { canonicalContact } from '../shared/order-examples';
import { entityField } from '../shared/record-schemas';

const configSchema = {
  type: 'object',
  required: ['entity', 'from_schema', 'to_schema'],
  properties: {
    entity: entityField,
    from_schema: { type: 'string', minLength: 1, description: 'Name of the schema that the values come from.' },
    to_schema: { type: 'string', minLength: 1, description: "Name of the schema whose field_mappings make the result." },
  },
} as const satisfies StepFieldsSchema;

/** Projects the event onto a schema of an entity (docs/reference/steps-and-actions.md, transform). */
export const transform = describeAction(configSchema)({
  name: 'transform',
  title: 'Transform',
  description: 'Projects the event onto a schema of an entity; a schema named canonical also becomes $.canonical.',
  category: 'data',
  min_version: '3.0',
  required_checks: [
    {
      fields: ['entity', 'from_schema', 'to_schema'],
      message: 'transform requires entity, to_schema and from_schema',
      mode: 'all',
      equals: null,
    },
  ],
  limits: [],
  checks: [],
  examples: [
    {
      title: 'The canonical form of a customer',
      config: { entity: 'contact', from_schema: 'shop', to_schema: 'canonical' },
      given: { entities: [canonicalContact], payload: { email: 'Ada@Example.com', first_name: 'Ada' } },
    },
    {
      title: 'What an ERP takes, made of the canonical form',
      config: { entity: 'contact', from_schema: 'canonical', to_schema: 'erp' },
      given: { entities: [canonicalContact], payload: {} },
    },
  ],
});
