import type { TransformArg, TransformDefinition } from './transform';

const fits: Record<TransformArg['type'], { test(value: unknown): boolean; words: string }> = {
  string: { test: (value) => typeof value === 'string', words: 'a text' },
  pattern: { test: (value) => typeof value === 'string' && value !== '', words: 'a pattern' },
  path: { test: (value) => typeof value === 'string' && value !== '', words: 'a path' },
  number: { test: (value) => Number.isFinite(value), words: 'a number' },
  integer: { test: (value) => Number.isSafeInteger(value), words: 'a whole number' },
  boolean: { test: (value) => typeof value === 'boolean', words: 'true or false' },
  any: { test: () => true, words: 'a value' },
  object: { test: (value) => value !== null && typeof value === 'object' && !Array.isArray(value), words: 'an object' },
  references: {
    test: (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'),
    words: 'a list of references',
  },
};

/** What is wrong with a transform's arguments, in plain words; null when nothing is. */
export function checkTransformArgs(definition: TransformDefinition, args: unknown): string | null {
  if (!fits.object.test(args)) return `'args' must be an object`;
  const given = args as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !definition.args.some((known) => known.name === name));
  if (unknown !== undefined) return `it has no argument '${unknown}'`;
  for (const { name, type, required } of definition.args) {
    if (!Object.hasOwn(given, name)) {
      if (required) return `argument '${name}' is required`;
      continue;
    }
    if (!fits[type].test(given[name])) return `argument '${name}' must be ${fits[type].words}`;
  }
  return checkBounds(definition.name, given);
}

function checkBounds(name: string, args: Record<string, unknown>): string | null {
  if (name === 'divide' && args.by === 0) return `argument 'by' must not be 0`;
  if ((name === 'truncate' || name === 'pad_start') && (args.length as number) < 0)
    return `argument 'length' must not be negative`;
  if (name === 'round' && Math.abs((args.digits as number | undefined) ?? 0) > 15)
    return `argument 'digits' must be from -15 to 15`;
  if (name === 'clamp' && args.min === undefined && args.max === undefined) return `it needs 'min' or 'max'`;
  if ((name === 'replace' || name === 'split') && (args.search ?? args.sep) === '') return `it cannot look for an empty text`;
  return null;
}
