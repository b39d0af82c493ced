import type { FlowContext } from '../flow-context';
import type { Reference } from '../expressions/reference';

/** A transform's answer: a value, or why it cannot handle the one it got. */
export type TransformResult = { ok: true; value: unknown } | { ok: false; reason: string };

export interface TransformArg {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean' | 'any' | 'object' | 'references' | 'path' | 'pattern';
  required: boolean;
  description: string;
}

/** A transform with its arguments bound. */
export interface BoundTransform {
  apply(value: unknown, ctx: FlowContext): TransformResult;
  /** References its arguments hold. */
  references?: Reference[];
}

/** One transform: words, arguments and implementation in one place. Catalogue, checks and engine derive from it. */
export interface TransformDefinition {
  name: string;
  kind: 'builtin' | 'parametric';
  description: string;
  args: readonly TransformArg[];
  /** Also called for null and for a source that resolves to nothing. */
  fills?: boolean;
  /** Accepts a list: a wildcard source before it gives all its matches. */
  takesList?: boolean;
  /** Its result is never longer than its input, so that it accepts a text of any length. */
  shortens?: boolean;
  /** It reads its whole value, as a serializer does: the value counts as work before it starts. */
  readsDeep?: boolean;
  /** `args` are checked against `args` before; throws ExpressionError for errors that only compiling finds (patterns, zones). */
  bind(args: Record<string, unknown>): BoundTransform;
}

export const ok = (value: unknown): TransformResult => ({ ok: true, value });
export const cannot = (reason: string): TransformResult => ({ ok: false, reason });

type Options = Pick<TransformDefinition, 'takesList' | 'fills' | 'shortens' | 'readsDeep'>;

/** A transform without arguments. */
export function builtin(
  name: string,
  description: string,
  apply: (value: unknown) => TransformResult,
  options: Options = {},
): TransformDefinition {
  return { name, kind: 'builtin', description, args: [], ...options, bind: () => ({ apply }) };
}

/** A transform with arguments. */
export function parametric(
  name: string,
  description: string,
  args: readonly TransformArg[],
  bind: TransformDefinition['bind'],
  options: Options = {},
): TransformDefinition {
  return { name, kind: 'parametric', description, args, ...options, bind };
}

/** Declares an argument. */
export function arg(name: string, type: TransformArg['type'], required: boolean, description: string): TransformArg {
  return { name, type, required, description };
}

/** How errors name a value's type. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** Texts; numbers and booleans by their text. Lists and objects have none. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A builtin over texts. */
export function textBuiltin(
  name: string,
  description: string,
  apply: (text: string) => TransformResult | string,
  options: Options = {},
): TransformDefinition {
  return builtin(name, description, onText(apply), options);
}

/** Lifts a function over texts. */
export function onText(apply: (text: string) => TransformResult | string): (value: unknown) => TransformResult {
  return (value) => {
    const text = asText(value);
    if (text === null) return cannot('it needs a text');
    const result = apply(text);
    return typeof result === 'string' ? ok(result) : result;
  };
}

/** Lifts a function over lists. */
export function onList(apply: (list: unknown[]) => TransformResult): (value: unknown) => TransformResult {
  return (value) => (Array.isArray(value) ? apply(value) : cannot('it needs a list'));
}
