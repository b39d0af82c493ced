import { ExpressionError } from './expression-error';
import { parsePath } from './json-path';

/**
 * The members below `$.canonical` that a mapping's target names, `['name', 'first']` for `$.canonical.name.first`; null for the
 * name of a property. Throws ExpressionError for a text that starts with `$` and names no member of the canonical form.
 */
export function canonicalPath(target: string): string[] | null {
  if (!target.startsWith('$')) return null;
  const members = parsePath(target).map(({ expression, scope }) =>
    scope === 'child' && ['identifier', 'string_literal'].includes(expression.type) ? String(expression.value) : null,
  );
  const [root, ...path] = members;
  if (root === 'canonical' && path.length > 0 && !path.includes(null)) return path as string[];
  throw new ExpressionError(
    'reference',
    `target '${target}' is none: it must be the name of a property, or like $.canonical.name`,
  );
}
