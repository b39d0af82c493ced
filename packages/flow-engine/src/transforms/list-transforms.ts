import { deepEqual } from '../expressions/deep-equal';
import { ExpressionError } from '../expressions/expression-error';
import { compilePath, parsePath, type JsonPath } from '../expressions/json-path';
import { textOf } from '../expressions/template';
import { asNumber } from './number-transforms';
import { arg, builtin, cannot, ok, onList, parametric, type TransformDefinition, type TransformResult } from './transform';

const list = { takesList: true };
const wholeList = { takesList: true, readsDeep: true };

/** Lists and picking inside values. */
export const listTransforms: readonly TransformDefinition[] = [
  builtin(
    'first',
    'First element of a list; null when it is empty.',
    onList((items) => ok(items[0] ?? null)),
    list,
  ),
  builtin(
    'last',
    'Last element of a list; null when it is empty.',
    onList((items) => ok(items.at(-1) ?? null)),
    list,
  ),
  builtin(
    'sort',
    'A list in ascending order: numbers by value, everything else by text.',
    onList((items) => ok(sorted(items))),
    wholeList,
  ),
  builtin(
    'unique',
    'A list without repeated elements; the first of each stays.',
    onList((items) => ok(unique(items))),
    wholeList,
  ),
  builtin('reverse', 'A list, or the characters of a text, in reverse.', reverse, list),
  parametric(
    'join',
    'One text out of a list; null elements are left out.',
    [arg('sep', 'string', true, 'Separator.')],
    (args) => ({
      apply: (value, { budget }) =>
        onList((items) => {
          budget.checkLength(items.length * (args.sep as string).length);
          const texts = items.filter((item) => item !== null).map(textOf);
          return ok(texts.join(args.sep as string));
        })(value),
    }),
    wholeList,
  ),
  parametric(
    'pick',
    'The value at a path inside an object or list; null when there is none.',
    [arg('path', 'path', true, 'Path below the value, for example address.city or [0].id.')],
    (args) => {
      const path = compileRelativePath(args.path as string);
      return {
        apply: (value, { budget }) =>
          typeof value === 'object'
            ? ok(path.multiple ? path.all(value, budget) : (path.first(value, budget) ?? null))
            : cannot('it needs an object or a list'),
      };
    },
  ),
  parametric(
    'filter_equals',
    'The elements of a list that hold a value at a path.',
    [
      arg('path', 'path', true, 'Path below each element; $ is the element itself.'),
      arg('value', 'any', true, 'Value to equal (same type).'),
    ],
    (args) => {
      const path = compileRelativePath(args.path as string);
      const size = leafCount(args.value);
      return {
        apply: (value, { budget }) =>
          onList((items) => {
            budget.work(items.length * size);
            return ok(items.filter((item) => deepEqual(path.first(item, budget) ?? null, args.value)));
          })(value),
      };
    },
    list,
  ),
];

/** `a.b`, `[0].id`, `$.a.b` or `$`. Throws ExpressionError. */
function compileRelativePath(text: string): JsonPath {
  if (text.trim() === '') throw new ExpressionError('transform', 'a path must not be empty');
  const absolute = text.startsWith('$') ? text : text.startsWith('[') ? `$${text}` : `$.${text}`;
  return compilePath(parsePath(absolute));
}

/** Numbers by value, everything else by its text, which is made once for each element. */
function sorted(items: unknown[]): unknown[] {
  const keyed = items.map((item) => ({ item, number: asNumber(item), text: textOf(item) }));
  const order = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
    if (a.number !== null && b.number !== null) return a.number - b.number;
    return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  };
  return keyed.sort(order).map(({ item }) => item);
}

/** How many values an authored value holds, itself included. */
function leafCount(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + leafCount(inner), 1);
}

/** Scalars through a set, so that long lists stay linear; objects by their canonical text. */
function unique(items: unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const key =
      item !== null && typeof item === 'object'
        ? `object:${canonicalText(item)}`
        : typeof item === 'string'
          ? `text:${item}`
          : item;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function reverse(value: unknown): TransformResult {
  if (Array.isArray(value)) return ok([...value].reverse());
  return typeof value === 'string' ? ok(Array.from(value).reverse().join('')) : cannot('it needs a list or a text');
}
