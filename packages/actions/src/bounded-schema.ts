import type { ActionLimit } from './action-limit';
import type { BoundedFieldsSchema, FieldSchema, StepFieldsSchema } from './field-schema';

/** The schema of an action with the maxima that its limits declare: the one place that makes a limit a rule of the schema. */
export function boundedSchema(schema: StepFieldsSchema, limits: readonly ActionLimit[]): BoundedFieldsSchema {
  const bounds = limits.flatMap((limit) =>
    limit.on === 'field' && limit.checked.includes('save') ? limit.fields.map((field) => ({ field, max: limit.max })) : [],
  );
  return bounds.reduce<BoundedFieldsSchema>((bounded, { field, max }) => within(bounded, field.split('.'), field, max), schema);
}

function within<Schema extends FieldSchema>(schema: Schema, [part, ...rest]: string[], field: string, max: number): Schema {
  const name = part!.replace('[]', '');
  const inner = schema.properties?.[name];
  if (!inner) throw new Error(`a limit names the field '${field}', which the schema does not have`);
  const changed = part!.endsWith('[]')
    ? { ...inner, items: within(inner.items ?? {}, rest, field, max) }
    : rest.length > 0
      ? within(inner, rest, field, max)
      : { ...inner, [maximumOf(inner, field)]: max };
  return { ...schema, properties: { ...schema.properties, [name]: changed } };
}

const keywords = {
  array: 'maxItems',
  string: 'maxLength',
  object: 'maxProperties',
  integer: 'maximum',
  number: 'maximum',
} as const;

/** The keyword that bounds a field of that type; of several the first. */
function maximumOf({ type }: FieldSchema, field: string): (typeof keywords)[keyof typeof keywords] {
  const types: readonly string[] = [type ?? []].flat();
  const [bounded] = types.flatMap((one) => (one in keywords ? [keywords[one as keyof typeof keywords]] : []));
  if (bounded === undefined) throw new Error(`a limit names the field '${field}', which has no type that can be bounded`);
  return bounded;
}
