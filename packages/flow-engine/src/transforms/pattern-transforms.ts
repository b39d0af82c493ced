import { RE2JS } from 're2js';
import { ExpressionError } from '../expressions/expression-error';
import type { WorkBudget } from '../work-budget';
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
      if (args.regex !== true)
        return { apply: (value, { budget }) => onText((text) => replaceText(text, search, replacement, budget))(value) };
      const pattern = compilePattern(search);
      checkGroups(pattern, search, replacement);
      return { apply: (value, { budget }) => onText((text) => replacePattern(text, pattern, replacement, budget))(value) };
    },
    { shortens: true },
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
        apply: (value, { budget }) =>
          onText((text) => {
            chargePattern(pattern, text, budget);
            const matcher = pattern.matcher(text);
            return ok(matcher.find() ? matcher.group(group) : null);
          })(value),
      };
    },
    { shortens: true },
  ),
];

/** Longest pattern that is accepted, in characters. */
const maxPatternLength = 1_000;

/** A pattern visits each character once per instruction in the worst case; usually far less often. */
function chargePattern(pattern: RE2JS, text: string, budget: WorkBudget): void {
  budget.work(Math.ceil((text.length * pattern.programSize()) / 32));
}

/** The length of the result is known before it is made: a short text can hold very many places to replace. */
function replaceText(text: string, search: string, replacement: string, budget: WorkBudget): string {
  let places = 0;
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) places += 1;
  budget.produce(text.length + places * (replacement.length - search.length), text.length);
  return text.replaceAll(search, () => replacement);
}

function replacePattern(text: string, pattern: RE2JS, replacement: string, budget: WorkBudget): string {
  // Once to count the matches, once to replace them.
  chargePattern(pattern, text, budget);
  chargePattern(pattern, text, budget);
  const groups = [...replacement.matchAll(/\$/g)].length;
  let matches = 0;
  for (const matcher = pattern.matcher(text); matcher.find(); ) matches += 1;
  // Groups of different matches do not overlap: each reference to a group adds at most the whole text.
  budget.produce(text.length * (1 + groups) + matches * replacement.length, groups === 0 && replacement === '' ? text.length : 0);
  return pattern.matcher(text).replaceAll(replacement);
}

function compilePattern(text: string): RE2JS {
  if (text.length > maxPatternLength)
    throw new ExpressionError('transform', `a pattern has at most ${maxPatternLength} characters`);
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
