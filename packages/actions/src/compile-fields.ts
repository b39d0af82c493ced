import type { ConfigProblemType } from '@sluice/contracts';
import {
  builtOnce,
  compileReference,
  compileTemplate,
  ExpressionError,
  isForeknown,
  isReference,
  type FlowContext,
  type Reference,
} from '@sluice/flow-engine';
import type { BoundedFieldsSchema, FieldSchema } from './field-schema';

/** The authored fields of a step, compiled by what its schema says of each. */
export interface CompiledFields {
  /** Values as `run` sees them; fields that are not authored are absent. */
  resolve(ctx: FlowContext): Record<string, unknown>;
  /** Of all fields. */
  references: readonly Reference[];
  /** Whether every field can be resolved before the flow runs. */
  isForeknown(ctx: FlowContext): boolean;
}

/** A path in a step and the problem there. */
export interface FieldProblem {
  path: (string | number)[];
  type: ConfigProblemType;
  msg: string;
  input: unknown;
}

type Resolve = (ctx: FlowContext) => unknown;

/** A reference in a field of a step. */
export interface PlacedReference {
  path: (string | number)[];
  reference: Reference;
  /** Whether the field is resolved once for each element of the step's list, which is then `$._item`. */
  perItem: boolean;
}

interface Walk {
  references: Reference[];
  placed: PlacedReference[];
  problems: FieldProblem[];
}

const emptyWalk = (): Walk => ({ references: [], placed: [], problems: [] });

/** Compiles the fields of a checked step. Throws ExpressionError for what checkFields reports. */
export function compileFields(schema: BoundedFieldsSchema, step: Readonly<Record<string, unknown>>): CompiledFields {
  const walk = emptyWalk();
  const resolve = walkObject(schema.properties, step, [], walk);
  const [problem] = walk.problems;
  if (problem) throw new ExpressionError('reference', `${problem.path.join('.')}: ${problem.msg}`);
  const isForeknownIn = (ctx: FlowContext): boolean => walk.references.every((reference) => isForeknown(reference, ctx));
  return { resolve: resolve as CompiledFields['resolve'], references: walk.references, isForeknown: isForeknownIn };
}

/** Every expression of a step that does not compile. */
export function checkFields(schema: BoundedFieldsSchema, step: Readonly<Record<string, unknown>>): FieldProblem[] {
  const walk = emptyWalk();
  walkObject(schema.properties, step, [], walk);
  return walk.problems;
}

/** Every reference of a checked step, with the field in which it stands. */
export function placedReferences(schema: BoundedFieldsSchema, step: Readonly<Record<string, unknown>>): PlacedReference[] {
  const walk = emptyWalk();
  walkObject(schema.properties, step, [], walk);
  return walk.placed;
}

function walkObject(
  properties: Readonly<Record<string, FieldSchema>>,
  value: Readonly<Record<string, unknown>>,
  path: (string | number)[],
  walk: Walk,
): Resolve {
  const fields = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, schema]) => ({ name, resolve: walkField(schema, value[name], [...path, name], walk) }));
  return (ctx) => {
    const resolved: Record<string, unknown> = {};
    for (const { name, resolve } of fields) resolved[name] = resolve(ctx);
    return resolved;
  };
}

function walkField(schema: FieldSchema, value: unknown, path: (string | number)[], walk: Walk): Resolve {
  if (schema['x-resolve'] !== undefined) return compileField(schema, value, path, walk);
  if (schema.properties && value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return walkObject(schema.properties, value as Record<string, unknown>, path, walk);
  }
  const items = schema.items;
  if (items && Array.isArray(value)) {
    const elements = value.map((element, index) => walkField(items, element, [...path, index], walk));
    return (ctx) => elements.map((resolve) => resolve(ctx));
  }
  return () => value;
}

function compileField(schema: FieldSchema, value: unknown, path: (string | number)[], walk: Walk): Resolve {
  const before = walk.references.length;
  try {
    const resolve = compileBy(schema, value, walk);
    const perItem = schema['x-resolve'] === 'each';
    for (const reference of walk.references.slice(before)) walk.placed.push({ path, reference, perItem });
    return resolve;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    walk.problems.push({ path, type: `${error.code}_invalid`, msg: error.message, input: value });
    return () => null;
  }
}

function compileBy(schema: FieldSchema, value: unknown, walk: Walk): Resolve {
  const resolution = schema['x-resolve'];
  if (resolution === 'list' || (resolution === 'values' && typeof value === 'string')) {
    const reference = compileReference(textIn(value));
    walk.references.push(reference);
    // null: the event has no such list, which differs from an empty one.
    return builtOnce([reference], (ctx) => {
      const list = reference.list(ctx);
      return list.length > 0 || Array.isArray(reference.first(ctx)) ? list : null;
    });
  }
  if (resolution === 'properties') return compileProperties(value, walk);
  if (resolution === 'reference' || resolution === 'each') requireReference(value);
  const isWhole = resolution === 'address' && typeof value === 'string' && isReference(value);
  const template = compileTemplate(value, { url: (resolution === 'url' || resolution === 'address') && !isWhole });
  walk.references.push(...template.references);
  if (resolution !== 'each') return template.resolve;
  return (ctx) => (item?: unknown) => template.resolve(item === undefined ? ctx : { ...ctx, item });
}

/** As with a mapping: nothing is not an explicit null, which clears the property. */
function compileProperties(value: unknown, walk: Walk): Resolve {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ExpressionError('reference', 'it must be an object');
  const entries = Object.entries(value).map(([name, authored]: [string, unknown]) => {
    if (typeof authored === 'string' && isReference(authored)) {
      const reference = compileReference(authored);
      walk.references.push(reference);
      return [name, (ctx: FlowContext) => reference.first(ctx)] as const;
    }
    const template = compileTemplate(authored);
    walk.references.push(...template.references);
    return [name, template.resolve] as const;
  });
  return (ctx) => {
    const resolved = entries.map(([name, resolve]) => [name, resolve(ctx)] as const);
    return Object.fromEntries(resolved.filter(([, found]) => found !== undefined));
  };
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new ExpressionError('reference', 'it must be a reference');
  return value;
}

function requireReference(value: unknown): void {
  const text = textIn(value);
  if (!isReference(text) && !text.includes('{$'))
    throw new ExpressionError('reference', `'${text}' is not a reference: it must start with '$.' or '$<step id>.'`);
}
