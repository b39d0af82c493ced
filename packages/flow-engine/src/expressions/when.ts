import { deepEqual } from './deep-equal';
import { ExpressionError } from './expression-error';
import type { FlowContext } from '../flow-context';
import { comparableNumber, parseIsoInstant, parseNumber } from './instant';
import { compileReference } from './reference';

/** Whether a step runs, given the context so far. */
export type Condition = (ctx: FlowContext) => boolean;

/** The description of a `when` variant in `/api/config-surface`. */
export interface WhenVariant {
  key: string;
  value_type: string;
  description: string;
  compile(value: unknown): Condition;
}

/** Every variant of `when` (docs/reference/config-document.md, Conditions). */
export const whenVariants: readonly WhenVariant[] = [
  {
    key: 'exists',
    value_type: 'reference',
    description: 'True when the reference resolves to something other than null.',
    compile: (value) => {
      const path = compileReference(text('exists', value));
      return (ctx) => path.all(ctx).some((found) => found !== null);
    },
  },
  {
    key: 'found',
    value_type: 'step id',
    description: 'True when the named find step found its record.',
    compile: (value) => {
      const stepId = text('found', value);
      return (ctx) => (ctx.outputs[stepId] as { found?: unknown } | null | undefined)?.found === true;
    },
  },
  {
    key: 'equals',
    value_type: 'object {path, value}',
    description: 'True when the reference gives exactly this value (same type).',
    compile: (value) => {
      const [path, args] = pathAnd('equals', value, 'value');
      return (ctx) => deepEqual(path.first(ctx) ?? null, args.value);
    },
  },
  {
    key: 'gt',
    value_type: 'object {path, value}',
    description: 'True when the reference gives a number, numeric string or ISO timestamp greater than the value.',
    compile: (value) => compileComparison('gt', value, (difference) => difference > 0),
  },
  {
    key: 'lt',
    value_type: 'object {path, value}',
    description: 'True when the reference gives a number, numeric string or ISO timestamp less than the value.',
    compile: (value) => compileComparison('lt', value, (difference) => difference < 0),
  },
  {
    key: 'in',
    value_type: 'object {path, values}',
    description: 'True when the reference gives one of the values.',
    compile: (value) => {
      const [path, args] = pathAnd('in', value, 'values');
      if (!Array.isArray(args.values)) throw new ExpressionError('when', `'in' needs a list 'values'`);
      const values: unknown[] = args.values;
      return (ctx) => {
        const found = path.first(ctx) ?? null;
        return values.some((allowed) => deepEqual(found, allowed));
      };
    },
  },
  {
    key: 'not',
    value_type: 'when',
    description: 'True when the inner condition is false.',
    compile: (value) => {
      const inner = compileWhen(value);
      return (ctx) => !inner(ctx);
    },
  },
  {
    key: 'all',
    value_type: 'list of when',
    description: 'True when every inner condition is true.',
    compile: (value) => {
      if (!Array.isArray(value)) throw new ExpressionError('when', `'all' needs a list of conditions`);
      const inner = value.map(compileWhen);
      return (ctx) => inner.every((condition) => condition(ctx));
    },
  },
];

const byKey = new Map(whenVariants.map((variant) => [variant.key, variant]));

/** Compiles a `when`. Throws ExpressionError naming the variant and the rule it breaks. */
export function compileWhen(when: unknown): Condition {
  if (when === null || typeof when !== 'object' || Array.isArray(when))
    throw new ExpressionError('when', `'when' must be an object`);
  const keys = Object.keys(when);
  const variant = keys.length === 1 ? byKey.get(keys[0]!) : undefined;
  if (!variant) throw new ExpressionError('when', `'when' needs exactly one key out of: ${[...byKey.keys()].join(', ')}`);
  return variant.compile((when as Record<string, unknown>)[variant.key]);
}

function text(variant: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new ExpressionError('when', `'${variant}' needs a text`);
  return value;
}

function pathAnd(variant: string, value: unknown, field: string): [ReturnType<typeof compileReference>, Record<string, unknown>] {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ExpressionError('when', `'${variant}' needs 'path' and '${field}'`);
  const args = value as Record<string, unknown>;
  if (typeof args.path !== 'string' || !Object.hasOwn(args, field))
    throw new ExpressionError('when', `'${variant}' needs 'path' and '${field}'`);
  const extra = Object.keys(args).find((key) => key !== 'path' && key !== field);
  if (extra !== undefined) throw new ExpressionError('when', `'${variant}' takes 'path' and '${field}', not '${extra}'`);
  return [compileReference(args.path), args];
}

function compileComparison(variant: string, value: unknown, holds: (difference: number) => boolean): Condition {
  const [path, args] = pathAnd(variant, value, 'value');
  return (ctx) => {
    const difference = compare(path.first(ctx), args.value);
    return difference !== null && holds(difference);
  };
}

/** null when the two are not both numbers or both instants. */
function compare(a: unknown, b: unknown): number | null {
  const left = comparableNumber(a);
  const right = comparableNumber(b);
  if (left === null || right === null || isInstant(a) !== isInstant(b)) return null;
  return left - right;
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && parseNumber(value) === null && parseIsoInstant(value) !== null;
}
