import type { AnySource } from './define-source';
import type { SourceFieldSchema } from './field-schema';

type Schema = Record<string, unknown>;

/** JSON Schema (2020-12) of the config of a type, in the standard's own words. A field that is not required may be null. */
export function configSchemaOf({ configSchema, title, description }: AnySource): Schema {
  return { title, description, ...plain(configSchema) };
}

function plain(schema: SourceFieldSchema): Schema {
  const { 'x-holds': _holds, items, properties, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(items && { items: plain(items) }),
    ...(properties && { properties: plainProperties(properties, schema.required ?? []) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? plain(additionalProperties) : additionalProperties,
    }),
  };
}

function plainProperties(properties: Readonly<Record<string, SourceFieldSchema>>, required: readonly string[]): Schema {
  const entries = Object.entries(properties).map(([field, schema]) => {
    const own = plain(schema);
    return [field, required.includes(field) || own.type === undefined ? own : nullable(own)] as const;
  });
  return Object.fromEntries(entries);
}

function nullable({ type, enum: values, ...rest }: Schema): Schema {
  return { ...rest, type: [type, 'null'], ...(values !== undefined && { enum: [...(values as unknown[]), null] }) };
}
