import jsonpath from 'jsonpath';
import { ExpressionError } from './expression-error';
import type { WorkBudget } from '../work-budget';

/** Appends what a step of a path selects in `value` to `found`. */
type Selector = (value: unknown, found: unknown[], budget: WorkBudget) => void;

/** A compiled path below some root value. */
export interface JsonPath {
  /** Whether it can give more than one match (wildcards, slices, unions, descendants). */
  multiple: boolean;
  /** Every match, in document order. Throws ExpressionLimitError. */
  all(root: unknown, budget: WorkBudget): unknown[];
  /** The first match; undefined when there is none. Throws ExpressionLimitError. */
  first(root: unknown, budget: WorkBudget): unknown;
}

/** The result of the library's parser, which its own types do not describe. */
interface Component {
  expression: { type: string; value: unknown };
  scope?: 'child' | 'descendant';
  operation?: string;
}

/** Longest path that is accepted, in characters. */
const maxPathLength = 1_000;

const hasOwn = (value: object, key: string): boolean => Object.prototype.hasOwnProperty.call(value, key);

/** Parses `text` (starts with `$`) and refuses script and filter expressions. Throws ExpressionError. */
export function parsePath(text: string): Component[] {
  if (text.length > maxPathLength)
    throw new ExpressionError('reference', `'${text.slice(0, 40)}…': a path has at most ${maxPathLength} characters`);
  let components: Component[];
  try {
    components = jsonpath.parse(text) as unknown as Component[];
  } catch {
    throw new ExpressionError('reference', `'${text}' is not a JSONPath (quote unusual names: ["first-name"])`);
  }
  for (const { expression } of components) {
    if (expression.type === 'script_expression' || expression.type === 'filter_expression') {
      throw new ExpressionError('script', `'${text}': script and filter expressions are not allowed`);
    }
    const repeated = repeatedMember(expression);
    // Each repeated member doubles the matches of all unions before it.
    if (repeated !== null) throw new ExpressionError('reference', `'${text}': the union names ${repeated} twice`);
  }
  if (components.filter((component) => component.scope === 'descendant').length > 1) {
    // Two of them multiply: a small config could produce more matches than fit in memory.
    throw new ExpressionError('reference', `'${text}': '..' may occur once`);
  }
  return components.slice(1);
}

/** Compiles parsed components to closures; nothing is interpreted later. */
export function compilePath(components: Component[]): JsonPath {
  const keys = plainKeys(components);
  if (keys !== null) return compilePlainPath(keys);
  const selectors = components.map(compileComponent);
  const all = (root: unknown, budget: WorkBudget): unknown[] => {
    let values: unknown[] = [root];
    for (const select of selectors) {
      const found: unknown[] = [];
      for (const value of values) {
        select(value, found, budget);
        budget.elements(found.length);
      }
      budget.work(values.length + found.length);
      values = found;
    }
    return values;
  };
  return { multiple: true, all, first: (root, budget) => all(root, budget)[0] };
}

/** A member that a union names twice, as text; null when there is none or the expression is no union. */
function repeatedMember({ type, value }: Component['expression']): string | null {
  if (type !== 'union') return null;
  const members = (value as { expression: Component['expression'] }[]).map(({ expression }) => String(expression.value));
  return members.find((member, index) => members.indexOf(member) < index) ?? null;
}

/** The usual case, members and indexes only: walked without allocating. */
function compilePlainPath(keys: (string | number)[]): JsonPath {
  const first = (root: unknown): unknown => {
    let value = root;
    for (const key of keys) {
      value = child(value, key);
      if (value === undefined) return undefined;
    }
    return value;
  };
  const all = (root: unknown): unknown[] => {
    const value = first(root);
    return value === undefined ? [] : [value];
  };
  return { multiple: false, all, first };
}

function plainKeys(components: Component[]): (string | number)[] | null {
  const keys: (string | number)[] = [];
  for (const { expression, scope } of components) {
    if (scope === 'descendant') return null;
    if (!['identifier', 'string_literal', 'numeric_literal'].includes(expression.type)) return null;
    keys.push(literalKey(expression));
  }
  return keys;
}

function literalKey(expression: Component['expression']): string | number {
  return expression.type === 'numeric_literal' ? Number(expression.value) : String(expression.value);
}

/** Own members only, so that a path never reaches a prototype or a list's length. Negative indexes count from the end. */
function child(value: unknown, key: string | number): unknown {
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return typeof key === 'number' ? value.at(key) : undefined;
  const name = String(key);
  return hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function children(value: unknown): unknown[] {
  return value !== null && typeof value === 'object' ? Object.values(value) : [];
}

function compileComponent(component: Component): Selector {
  const select = compileExpression(component.expression);
  if (component.scope !== 'descendant') return select;
  return (value, found, budget) => {
    // An explicit stack, because payloads may be nested deeper than the call stack.
    const open: unknown[] = [value];
    while (open.length > 0) {
      const current = open.pop();
      budget.work(1);
      select(current, found, budget);
      budget.elements(found.length);
      const inner = children(current);
      for (let index = inner.length - 1; index >= 0; index--) open.push(inner[index]);
    }
  };
}

function compileExpression(expression: Component['expression']): Selector {
  switch (expression.type) {
    case 'wildcard':
      return (value, found) => {
        for (const inner of children(value)) found.push(inner);
      };
    case 'slice':
      return compileSlice(String(expression.value));
    case 'union': {
      const parts = (expression.value as { expression: Component['expression'] }[]).map((part) =>
        compileExpression(part.expression),
      );
      return (value, found, budget) => parts.forEach((select) => select(value, found, budget));
    }
    default: {
      const key = literalKey(expression);
      return (value, found) => {
        const inner = child(value, key);
        if (inner !== undefined) found.push(inner);
      };
    }
  }
}

/** `start:end:step`, every part optional; negative start and end count from the end. */
function compileSlice(text: string): Selector {
  const [start, end, step] = text.split(':').map((part) => (part === '' ? undefined : Number(part)));
  if (step !== undefined && step < 1) throw new ExpressionError('reference', `slice '${text}': the step must be positive`);
  return (value, found) => {
    if (!Array.isArray(value)) return;
    const part = value.slice(start ?? 0, end);
    for (let index = 0; index < part.length; index += step ?? 1) found.push(part[index]);
  };
}
