import { describedAction, limitAt, overLimit } from '@sluice/actions';
import { type ConfigProblemType, wordsOfPattern } from '@sluice/contracts';
import type { ErrorObject } from 'ajv/dist/2020';
import { isSecretOfSource, secretProblem } from './check-sources';
import { reservedNames } from '../document/config-schema';
import { cut, problem, valueAt, type Loc, type Problem } from '../document/problem';
import { structureErrors } from './structure-errors';

/** Problem type of an unknown top-level key: config-api answers `unknown top-level config key(s)`. */
const unknownTopLevelKey = 'unknown_top_level_key';

/** Keys that one message names. */
const namedKeys = 10;

export interface Structure {
  problems: Problem[];
  /** Where they are, names in full. */
  places: Loc[];
  /** The limit was reached: there may be more problems, and other parts were not checked. */
  full: boolean;
}

/**
 * What the schema finds, in plain words, at most `limit` problems. `when` and transforms are left to their own compilers, which
 * say more.
 */
export function checkStructure(config: unknown, limit: number): Structure {
  const errors: ErrorObject[] = [];
  for (const error of structureErrors(config)) {
    errors.push(error);
    if (errors.length === limit) break;
  }
  const unknownKeys = unknownKeysText(
    errors.filter(isUnknownTopLevelKey).map((error) => String(error.params.additionalProperty)),
  );
  const found = errors.map((error) => describe(config, error, unknownKeys));
  return { problems: found.map(({ told }) => told), places: found.map(({ loc }) => loc), full: errors.length === limit };
}

function describe(config: unknown, error: ErrorObject, unknownKeys: string): { loc: Loc; told: Problem } {
  if (!isUnknownTopLevelKey(error)) return toProblem(config, error);
  const loc = [String(error.params.additionalProperty)];
  return { loc, told: problem(unknownTopLevelKey, loc, unknownKeys, valueAt(config, loc)) };
}

/** Only the first of them are named: a thousand entries that each name all others would be a million names. */
function unknownKeysText(keys: readonly string[]): string {
  const named = keys.slice(0, namedKeys).map((key) => cut(key, 64)).join(', ');
  const more = keys.length - namedKeys;
  return `unknown top-level config key(s): ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

function isUnknownTopLevelKey(error: ErrorObject): boolean {
  return error.keyword === 'additionalProperties' && error.instancePath === '';
}

/** JSON pointer to keys; array positions become numbers. */
function locOf(root: unknown, pointer: string): Loc {
  const loc: (string | number)[] = [];
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replace(/~1/g, '/').replace(/~0/g, '~');
    loc.push(Array.isArray(value) ? Number(key) : key);
    value = valueAt(value, [key]);
  }
  return loc;
}

function toProblem(config: unknown, error: ErrorObject): { loc: Loc; told: Problem } {
  const given = locOf(config, error.instancePath);
  // The name of an entry is wrong, not its value.
  const loc = error.propertyName === undefined ? given : [...given, error.propertyName];
  const field = cut(String(loc.findLast((key) => typeof key === 'string') ?? 'config'), 64);
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty);
    return { loc: [...loc, missing], told: problem('missing', [...loc, missing], `'${missing}' is required`) };
  }
  if (error.keyword === 'additionalProperties') {
    const place = [...loc, String(error.params.additionalProperty)];
    return { loc: place, told: isSecretOfSource(place) ? secretProblem(place) : unknownField(config, place) };
  }
  const msg = actionLimit(config, loc, error) ?? `'${field}' ${rule(error)}`;
  return { loc, told: problem(typeWord(error), loc, msg, error.propertyName ?? valueAt(config, loc)) };
}

const maxima = ['maxItems', 'maxLength', 'maximum', 'maxProperties'];

/** A maximum of a field of a step is a limit of its action, and reported as such. */
function actionLimit(config: unknown, loc: Loc, { keyword }: ErrorObject): string | null {
  if (!maxima.includes(keyword) || loc[0] !== 'flows' || loc[2] !== 'steps') return null;
  const action = describedAction(String(valueAt(config, [...loc.slice(0, 4), 'action'])));
  const limit = action && limitAt(action.limits, loc.slice(4));
  return action && limit ? overLimit(action.name, limit) : null;
}

function unknownField(config: unknown, loc: Loc): Problem {
  // An unknown key beside the config of a source may be a secret with any name.
  const input = loc[0] === 'sources' ? null : valueAt(config, loc);
  return problem('extra_forbidden', loc, `'${cut(String(loc.at(-1)), 64)}' is not a known field here`, input);
}

const types: Readonly<Record<string, ConfigProblemType>> = {
  type: 'type_error', enum: 'enum', const: 'enum', not: 'reserved_name',
};

const typeWord = ({ keyword }: ErrorObject): ConfigProblemType => types[keyword] ?? 'value_error';

function rule({ keyword, params, message }: ErrorObject): string {
  const limit = Number(params.limit);
  const rules: Record<string, () => string> = {
    enum: () => `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
    pattern: () => `must ${wordsOfPattern(String(params.pattern))}`,
    not: () => `must not be one of ${reservedNames.join(', ')}`,
    type: () => `must be ${[params.type].flat().map((type) => typeWords[String(type)] ?? String(type)).join(' or ')}`,
    minLength: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
    maxLength: () => `must have at most ${limit} characters`,
    minItems: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
    maxItems: () => `must have at most ${limit} items`,
    minProperties: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`),
    maxProperties: () => `must have at most ${limit} entries`,
    minimum: () => `must be at least ${limit}`,
    maximum: () => `must be at most ${limit}`,
  };
  return rules[keyword]?.() ?? message ?? 'is not valid';
}

const typeWords: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
