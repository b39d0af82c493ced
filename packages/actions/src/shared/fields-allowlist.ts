import type { ConfigDocument, Entity, SchemaSpec } from '@sluice/contracts';
import type { StepRule } from '../action-definition';
import type { FieldProblem } from '../compile-fields';
import { destinationSchema } from './destination-schema';

/** `fields` of upsert, upsert_many and post (docs/reference/steps-and-actions.md, upsert). */
export const fieldsField = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', minLength: 1 },
  description:
    'Only these mapping targets are written; must include the identity property. target_template mappings are never filtered.',
} as const;

/**
 * The allowlist against the entity of the same config: every entry must be a static target of the schema that is projected, which
 * is `crm`, or that of the REST destination the step names.
 */
export function fieldsAllowlist(rule: { identityRequired: boolean; schema: 'crm' | 'destination' }): StepRule {
  const targets = `fields must name mapping targets of the entity's schema ${rule.schema === 'crm' ? "'crm'" : 'for the destination'}`;
  return {
    fields: ['fields', 'entity'],
    message: rule.identityRequired ? `${targets}, its identity property among them` : targets,
    find: ({ step, config }) => {
      const { fields, entity: name } = step;
      if (!Array.isArray(fields) || typeof name !== 'string') return [];
      const lookup = lookupOf(config);
      const entity = lookup.entities.get(name);
      if (!entity) return [refused(['fields'], `fields: entity '${name}' is not in this config`, fields)];
      const schemaName = rule.schema === 'crm' ? 'crm' : destinationSchema(Object.keys(entity.schemas), step.target);
      const schema = schemaName === null || !Object.hasOwn(entity.schemas, schemaName) ? undefined : entity.schemas[schemaName];
      if (schema) return foreignFields({ entity, schema, targets: targetsOf(lookup, schema) }, fields, rule.identityRequired);
      const missing = rule.schema === 'crm' ? "schema 'crm'" : `schema for '${String(step.target)}'`;
      return [refused(['fields'], `fields: entity '${name}' has no ${missing} to project`, fields)];
    },
  };
}

const refused = (path: (string | number)[], msg: string, input: unknown): FieldProblem => ({
  path, type: 'fields_allowlist', msg, input,
});

interface Projected {
  entity: Entity;
  schema: SchemaSpec;
  targets: ReadonlySet<string>;
}

function foreignFields({ entity, schema, targets }: Projected, fields: unknown[], identityRequired: boolean): FieldProblem[] {
  const identity = schema.identity?.property;
  const unknown = fields.flatMap((field, index) =>
    typeof field === 'string' && !targets.has(field) && field !== identity
      ? [refused(['fields', index], `'${field}' is not a mapping target of entity '${entity.name}'`, field)]
      : [],
  );
  const missing = identityRequired && identity !== undefined && !fields.includes(identity);
  return missing
    ? [
        ...unknown,
        refused(['fields'], `fields must include the identity property '${identity}' of entity '${entity.name}'`, fields),
      ]
    : unknown;
}

interface Lookup {
  entities: ReadonlyMap<string, Entity>;
  targets: Map<SchemaSpec, ReadonlySet<string>>;
}

/** Built once per check of a document: thousands of steps may name the same large entity. */
const lookups = new WeakMap<ConfigDocument, Lookup>();

function lookupOf(config: ConfigDocument): Lookup {
  let lookup = lookups.get(config);
  if (!lookup) {
    // The first of a name counts, as everywhere.
    lookup = { entities: new Map([...config.entities].reverse().map((entity) => [entity.name, entity])), targets: new Map() };
    lookups.set(config, lookup);
  }
  return lookup;
}

function targetsOf({ targets }: Lookup, schema: SchemaSpec): ReadonlySet<string> {
  const known = targets.get(schema) ?? new Set((schema.field_mappings ?? []).flatMap(({ target }) => target ?? []));
  targets.set(schema, known);
  return known;
}
