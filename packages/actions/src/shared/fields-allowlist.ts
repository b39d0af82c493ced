import type { CheckInput } from '../define-action';
import type { FieldProblem } from '../compile-fields';

/** `fields` of upsert, upsert_many and post (interface). */
export const fieldsField = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', minLength: 1 },
  description:
    'Only these mapping targets are written; must include the identity property. target_template mappings are never filtered.',
} as const;

/** The allowlist against the entity of the same config: every entry must be a static target of the `crm` schema. */
export function checkFieldsAllowlist(rule: { identityRequired: boolean }): (input: CheckInput<object>) => FieldProblem[] {
  return ({ step, config }) => {
    const { fields, entity: name } = step as { fields?: unknown; entity?: unknown };
    if (!Array.isArray(fields) || typeof name !== 'string') return [];
    const problem = (path: (string | number)[], msg: string, input: unknown): FieldProblem => ({
      path,
      type: 'fields_allowlist',
      msg,
      input,
    });
    const entity = config.entities.find((candidate) => candidate.name === name);
    if (!entity) return [problem(['fields'], `fields: entity '${name}' is not in this config`, fields)];
    const schema = entity.schemas.crm;
    if (!schema) return [problem(['fields'], `fields: entity '${name}' has no schema 'crm' to project`, fields)];
    const targets = new Set((schema.field_mappings ?? []).flatMap((mapping) => mapping.target ?? []));
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
