import { compileReference } from '../expressions/reference';
import { boundedText } from '../expressions/template';
import { arg, asText, cannot, ok, parametric, type TransformDefinition } from './transform';

/** Filling, mapping and joining of values. */
export const valueTransforms: readonly TransformDefinition[] = [
  parametric(
    'default',
    'A value for null, and for a source that resolves to nothing.',
    [arg('value', 'any', true, 'Value to use.')],
    (args) => ({
      apply: (value) => ok(value ?? args.value),
    }),
    { fills: true },
  ),
  parametric(
    'coalesce',
    'The first of the paths that gives something, for null and for a source that resolves to nothing.',
    [arg('paths', 'references', true, 'References, tried in order.')],
    (args) => {
      const references = (args.paths as string[]).map(compileReference);
      return {
        references,
        apply: (value, ctx) => {
          if (value !== null && value !== undefined) return ok(value);
          const found = references
            .map((reference) => reference.first(ctx))
            .find((candidate) => candidate !== null && candidate !== undefined);
          return ok(found ?? value);
        },
      };
    },
    { fills: true },
  ),
  parametric(
    'map_values',
    'Translates values; null for a value that is not in the table, unless a default is given.',
    [
      arg('values', 'object', true, 'Table from a value (its text) to its translation.'),
      arg('default', 'any', false, 'For values that are not in the table.'),
    ],
    (args) => {
      const table = new Map(Object.entries(args.values as Record<string, unknown>));
      return {
        apply: (value) => {
          const text = asText(value);
          if (text === null) return cannot('it needs a text, number or boolean');
          return ok(table.has(text) ? table.get(text) : (args.default ?? null));
        },
      };
    },
  ),
  parametric(
    'concat',
    'Joins the texts of its paths; what resolves to nothing or null is left out.',
    [arg('paths', 'references', true, 'References to join.'), arg('sep', 'string', false, 'Separator, default none.')],
    (args) => {
      const references = (args.paths as string[]).map(compileReference);
      return {
        references,
        apply: (_value, ctx) => {
          const found = references
            .map((reference) => reference.first(ctx))
            .filter((value) => value !== null && value !== undefined);
          return ok(found.map((value) => boundedText(value, ctx.budget)).join((args.sep as string | undefined) ?? ''));
        },
      };
    },
  ),
];
