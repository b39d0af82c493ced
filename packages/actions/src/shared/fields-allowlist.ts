import type { ConfigDocument, Entity, SchemaSpec } from '@sluice/contracts';
import type { StepCheck } from '../action-definition';
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
export function checkFieldsAllowlist(rule: { identityRequired: boolean; schema: 'crm' | 'destination' }): StepCheck {
  return ({ step, config }) => {
    const { fields, entity: name } = step;
    if (!Array.isArray(fields) || typeof name !== 'string') return [];
    const problem = (path: (string | number)[], msg: string, input: unknown): FieldProblem => ({
      path,
      type: 'fields_allowlist',
      msg,
      input,
    });
    const lookup = lookupOf(config);
    const entity = lookup.entities.get(name);
    if (!entity) return [problem(['fields'], `fields: entity '${name}' is not in this config`, fields)];
    const schemaName = rule.schema === 'crm' ? 'crm' : destinationSchema(Object.keys(entity.schemas), step.target);
    const schema = schemaName === null || !Object.hasOwn(entity.schemas, schemaName) ? undefined : entity.schemas[schemaName];
    if (!schema) {
      const missing = rule.schema === 'crm' ? "schema 'crm'" : `schema for '${String(step.target)}'`;
      return [problem(['fields'], `fields: entity '${name}' has no ${missing} to project`, fields)];
    }
    const targets = targetsOf(lookup, schema);
    const identity = schema.identity?.property;
    const unknown = fields.flatMap((field: unknown, index) =>
      typeof field === 'string' && !targets.has(field) && field !== identity
        ? [problem(['fields', index], `'${field}' is not a mapping target of entity '${name}'`, field)]
        : [],
    );
    const missing = rule.identityRequired && identity !== undefined && !fields.includes(identity);
    return missing
      ? [...unknown, problem(['fields'], `fields must include the identity property '${identity}' of entity '${name}'`, fields)]
      : unknown;
  };
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
