import { configSchema } from '@sluice/config-model';
import { configRoutes, type JsonSchema } from '@sluice/contracts';

type Schema = Record<string, unknown>;

const { $defs, $schema: _dialect, $id: _id, ...document } = configSchema;
const documentName = 'ConfigDocument';

/** The config document and its parts as named schemas of the API description. */
export const configBodySchemas: Record<string, JsonSchema> = {
  [documentName]: named(document) as Schema,
  ...Object.fromEntries(Object.entries($defs as Schema).map(([name, schema]) => [partName(name), named(schema) as Schema])),
  ConfigPatch: patchSchema(),
};

/** The full bodies of the routes whose contracts leave them to the check of the document. */
export const configBodies: Record<string, JsonSchema> = {
  [configRoutes.replaceDraft.name]: { $ref: `#/components/schemas/${documentName}` },
  [configRoutes.patchDraft.name]: { $ref: '#/components/schemas/ConfigPatch' },
  [configRoutes.putDraftEntity.name]: partBody('entity'),
  [configRoutes.putDraftFlow.name]: partBody('flow'),
};

/** A part of the document without its name, which the path has, and with the version it is meant for. */
function partBody(part: string): Schema {
  const { properties, required, ...rest } = ($defs as Record<string, Schema>)[part] as { properties: Schema; required: string[] };
  const { body } = configRoutes.putDraftEntity;
  return named({
    ...rest, required: required.filter((field) => field !== 'name'), properties: { ...properties, ...body.properties },
  }) as Schema;
}

/** A merge patch (RFC 7396): null removes, objects are merged, lists are replaced. */
function patchSchema(): Schema {
  const { properties } = named(document) as { properties: Record<string, Schema> };
  const removable = Object.entries(properties).map(([name, schema]) => {
    const merged = schema.type === 'object' || name === 'conflicts' ? { type: 'object' } : schema;
    return [name, { anyOf: [merged, { type: 'null' }] }] as const;
  });
  const expected = {
    type: 'integer',
    description: 'The `draft_version` that the patch was made for; another one is refused with 409.',
  };
  return {
    type: 'object', additionalProperties: false, title: 'Merge patch of a config document',
    properties: { ...Object.fromEntries(removable), expected_version: expected },
  };
}

/** References to parts, by the names they have in the API description. */
function named(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(named);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' ? renamed(String(value)) : named(value)]),
  );
}

function renamed(reference: string): string {
  return `#/components/schemas/${partName(reference.replace('#/$defs/', ''))}`;
}

function partName(name: string): string {
  return `Config_${name}`;
}
