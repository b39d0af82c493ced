import { RE2JS } from 're2js';
import { ExpressionError } from '../expression-error';
import { arg, ok, onText, parametric, type TransformDefinition } from './transform';

/** Replacing and matching. Patterns are RE2: linear time, no backreferences, no look-around. */
export const patternTransforms: readonly TransformDefinition[] = [
  parametric(
    'replace',
    'Replaces every occurrence.',
    [
      arg('search', 'string', true, 'What to replace: a text, or with `regex` a pattern.'),
      arg('with', 'string', true, 'Replacement; with `regex`, $1 is the first group.'),
      arg('regex', 'boolean', false, 'Read `search` as an RE2 pattern.'),
    ],
    (args) => {
      const search = args.search as string;
      const replacement = args.with as string;
      if (args.regex !== true) return { apply: onText((text) => text.split(search).join(replacement)) };
      const pattern = compilePattern(search);
      checkGroups(pattern, search, replacement);
      return { apply: onText((text) => pattern.matcher(text).replaceAll(replacement)) };
    },
  ),
  parametric(
    'match',
    'The first match of a pattern, or one of its groups; null without a match.',
    [
      arg('pattern', 'pattern', true, 'RE2 pattern.'),
      arg('group', 'integer', false, 'Group to give; default 0, the whole match.'),
    ],
    (args) => {
      const pattern = compilePattern(args.pattern as string);
      const group = (args.group as number | undefined) ?? 0;
      if (group < 0 || group > pattern.groupCount()) throw new ExpressionError('transform', `the pattern has no group ${group}`);
      return {
        apply: onText((text) => {
          const matcher = pattern.matcher(text);
          return ok(matcher.find() ? matcher.group(group) : null);
        }),
      };
    },
  ),
];

function compilePattern(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch {
    throw new ExpressionError(
      'transform',
      `'${text}' is not a pattern that runs in linear time (RE2: no backreferences, no look-around)`,
    );
  }
}

function checkGroups(pattern: RE2JS, search: string, replacement: string): void {
  const groups = [...replacement.matchAll(/\$(\d+)/g)].map(([, group]) => Number(group));
  if (groups.every((group) => group <= pattern.groupCount())) return;
  throw new ExpressionError('transform', `'with' names a group that '${search}' does not have`);
}
