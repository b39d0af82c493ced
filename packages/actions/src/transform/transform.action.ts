import { done, permanent } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
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
export const transform = defineAction(configSchema)({
  name: 'transform',
  title: 'Transform',
  description: 'Projects the event onto a schema of an entity; a schema named canonical also becomes $.canonical.',
  category: 'data',
  min_version: '3.0',
  effect: 'control',
  uses: [],
  on_repeat: 'Nothing is written: it projects again.',
  repeat: 'anew',
  required_checks: [
    {
      fields: ['entity', 'from_schema', 'to_schema'],
      message: 'transform requires entity, to_schema and from_schema',
      mode: 'all',
      equals: null,
    },
  ],
  limits: [],
  rules: [],
  examples: [
    {
      title: 'The canonical form of a customer',
      config: { entity: 'contact', from_schema: 'shop', to_schema: 'canonical' },
      given: { entities: [canonicalContact], payload: { email: 'Ada@Example.com', first_name: 'Ada' } },
      expect: { kind: 'done', output: { email: 'ada@example.com', name: { first: 'Ada' } } },
    },
    {
      title: 'What a newsletter tool takes',
      config: { entity: 'contact', from_schema: 'shop', to_schema: 'newsletter' },
      given: { entities: [canonicalContact], payload: { email: 'ada@example.com' } },
      expect: { kind: 'done', output: { address: 'ada@example.com' } },
    },
  ],
  touches: () => ({ writes: [], reads: [] }),
  run: async ({ config, entities, ctx }) => {
    const entity = entities.get(config.entity);
    if (!entity) return permanent('unknown_entity', `entity '${config.entity}' is not in this config`);
    const projection = entity.projections.get(config.to_schema);
    if (!projection) return permanent('unknown_schema', `entity '${entity.name}' has no schema '${config.to_schema}'`);
    const projected = projection.project(ctx);
    if (!projected.ok) return permanent(projected.code, projected.message);
    const { properties } = projected;
    return done(properties, config.to_schema === 'canonical' ? { canonical: properties } : {});
  },
});
