import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { configSchema, configSchemaId } from '../document/config-schema';

type Schema = Record<string, unknown>;

/**
 * A part of the document that is validated by itself. Entries of its lists and maps are separate parts: ajv would validate all of
 * them before it reports anything, and copies all earlier errors with every further one.
 */
interface Part {
  check: ValidateFunction;
  /** Objects that are parts, and lists and maps whose entries are, by their key. */
  inner: { key: string; entry: Part; isList: boolean }[];
}

const defs = configSchema.$defs as Record<string, Schema>;
/** Left to their own compilers, which report more. */
const compiledElsewhere = new Set(['#/$defs/when', '#/$defs/transform']);
let root: Part | undefined;

/**
 * The errors of the JSON Schema, part by part: the caller may stop, and the rest is not validated. A list or map with too many
 * entries is not validated inside.
 */
export function structureErrors(config: unknown): Generator<ErrorObject> {
  // Compiled by the first check: it takes some tenths of a second, and a process that checks no config need not spend them.
  root ??= partOf(configSchema, createAjv());
  return errorsOf(root, config, '');
}

/** The schema itself is valid, as a test says, and is not validated again. */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, validateSchema: false });
  return ajv.addSchema(configSchema);
}

function* errorsOf({ check, inner }: Part, value: unknown, place: string): Generator<ErrorObject> {
  const errors = check(value) ? [] : told(check.errors ?? []);
  for (const error of errors) yield { ...error, instancePath: place + error.instancePath };
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  const closed = new Set(errors.map(({ instancePath }) => instancePath));
  for (const { key, entry, isList } of inner) {
    const entries = Object.hasOwn(value, key) && !closed.has(`/${key}`) ? (value as Record<string, unknown>)[key] : null;
    if (entries === null || typeof entries !== 'object') continue;
    if (!isList) yield* errorsOf(entry, entries, `${place}/${key}`);
    else for (const [name, item] of Object.entries(entries)) yield* errorsOf(entry, item, `${place}/${key}/${pointerPart(name)}`);
  }
}

const pointerPart = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');

/** The errors to report. */
function told(errors: readonly ErrorObject[]): ErrorObject[] {
  const textOf = ({ instancePath, propertyName = '' }: ErrorObject): string => JSON.stringify([instancePath, propertyName]);
  const short = new Set(errors.filter(({ keyword }) => keyword === 'minLength').map(textOf));
  return errors.filter((error) => {
    const { keyword, instancePath } = error;
    if (['if', 'oneOf', 'anyOf', 'allOf', 'propertyNames'].includes(keyword)) return false;
    // The closed set of actions is refused by the step check, which also knows the ones still to come.
    if (keyword === 'enum' && instancePath === '/action') return false;
    // An empty name is not told to be blank as well.
    return !(keyword === 'pattern' && short.has(textOf(error)));
  });
}

/** Compiles a schema without the entries of its lists and maps of objects, and these as parts of their own. */
function partOf(given: Schema, ajv: Ajv2020): Part {
  const schema = resolved(given);
  const inner: Part['inner'] = [];
  const properties: Schema = {};
  for (const [key, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    const entries = entriesOf(property);
    const isObject = isObjectPart(property);
    if (entries ?? isObject) inner.push({ key, entry: partOf(entries ?? property, ajv), isList: entries !== undefined });
    const { items: _items, additionalProperties: _entries, ...shell } = property;
    properties[key] = isObject ? { type: 'object' } : entries ? shell : property;
  }
  const { $id: _id, $schema: _schema, $defs: _defs, ...own } = schema;
  return { check: ajv.compile(withFullReferences({ ...own, ...(schema.properties ? { properties } : {}) }) as Schema), inner };
}

/** The schema of the entries of a list or map of objects; undefined for anything else. */
function entriesOf(property: Schema): Schema | undefined {
  const entries = property.type === 'array' ? property.items : property.additionalProperties;
  if (entries === null || typeof entries !== 'object') return undefined;
  return resolved(entries as Schema).type === 'object' ? (entries as Schema) : undefined;
}

/** An object of the document with a schema of its own, in which there may be further parts. */
const isObjectPart = ({ $ref: reference, ...rest }: Schema): boolean =>
  typeof reference === 'string' && !compiledElsewhere.has(reference) && resolved({ $ref: reference, ...rest }).type === 'object';

function resolved(schema: Schema): Schema {
  return typeof schema.$ref === 'string' ? defs[schema.$ref.replace('#/$defs/', '')]! : schema;
}

/** Parts are compiled apart from the document: what they refer to is found through its id. */
function withFullReferences(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map(withFullReferences);
  const { $ref: reference } = schema as Schema;
  if (typeof reference !== 'string')
    return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, withFullReferences(inner)]));
  return compiledElsewhere.has(reference) ? true : { $ref: configSchemaId + reference };
}
