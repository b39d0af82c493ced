import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { isSecretOfSource, secretProblem } from './check-sources';
import { configSchema } from './config-schema';
import { problem, valueAt, type Loc, type Problem } from './problem';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
const validate = ajv.compile(configSchema);

/** Problem type of an unknown top-level key: config-api answers `unknown top-level config key(s)`. */
export const unknownTopLevelKey = 'unknown_top_level_key';

/** What the schema finds, in plain words. `when` and transforms are left to their own compilers, which say more. */
export function checkStructure(config: unknown): Problem[] {
  if (validate(config)) return [];
  const errors = (validate.errors ?? []).filter((error, _index, all) => !isNoise(error) && !isTwin(error, all));
  const unknownKeys = errors.filter(isUnknownTopLevelKey).map((error) => String(error.params.additionalProperty));
  return errors.map((error) => {
    if (!isUnknownTopLevelKey(error)) return toProblem(config, error);
    const key = String(error.params.additionalProperty);
    return problem(unknownTopLevelKey, [key], `unknown top-level config key(s): ${unknownKeys.join(', ')}`, valueAt(config, [key]));
  });
}

function isUnknownTopLevelKey(error: ErrorObject): boolean {
  return error.keyword === 'additionalProperties' && error.instancePath === '';
}

function isNoise(error: ErrorObject): boolean {
  const combinator = ['if', 'oneOf', 'anyOf', 'allOf'].includes(error.keyword);
  const compiledElsewhere = /\/when(\/|$)|\/transform\/\d+/.test(error.instancePath);
  // The closed set of actions is refused by the step check, which also knows the ones still to come.
  const actionName = error.keyword === 'enum' && /\/steps\/\d+\/action$/.test(error.instancePath);
  return combinator || compiledElsewhere || actionName;
}

/** An empty name is not told to be blank as well. */
function isTwin(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  return error.keyword === 'pattern' && all.some((other) => other.keyword === 'minLength' && other.instancePath === error.instancePath);
}

/** JSON pointer to keys; array positions become numbers. */
function locOf(root: unknown, pointer: string): Loc {
  const loc: (string | number)[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replace(/~1/g, '/').replace(/~0/g, '~');
    loc.push(Array.isArray(valueAt(root, loc)) ? Number(key) : key);
  }
  return loc;
}

function toProblem(config: unknown, error: ErrorObject): Problem {
  const loc = locOf(config, error.instancePath);
  const field = loc.findLast((key) => typeof key === 'string') ?? 'config';
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty);
    return problem('missing', [...loc, missing], `'${missing}' is required`);
  }
  if (error.keyword === 'additionalProperties') {
    const extra = String(error.params.additionalProperty);
    if (isSecretOfSource([...loc, extra])) return secretProblem([...loc, extra]);
    // What somebody puts beside the config of a source may be a secret of whatever name.
    const input = loc[0] === 'sources' ? null : valueAt(config, [...loc, extra]);
    return problem('extra_forbidden', [...loc, extra], `'${extra}' is not a known field here`, input);
  }
  return problem(typeWord(error), loc, `'${field}' ${rule(error)}`, valueAt(config, loc));
}

function typeWord(error: ErrorObject): string {
  return { type: 'type_error', enum: 'enum', const: 'enum' }[error.keyword] ?? 'value_error';
}

function rule({ keyword, params, message }: ErrorObject): string {
  const limit = Number(params.limit);
  const rules: Record<string, () => string> = {
    enum: () => `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
    pattern: () => patternRule(String(params.pattern)),
    type: () => `must be ${[params.type].flat().map((type) => typeWords[String(type)] ?? String(type)).join(' or ')}`,
    minLength: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
    maxLength: () => `must have at most ${limit} characters`,
    minItems: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
    maxItems: () => `must have at most ${limit} items`,
    minProperties: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`),
    minimum: () => `must be at least ${limit}`,
    maximum: () => `must be at most ${limit}`,
  };
  return rules[keyword]?.() ?? message ?? 'is not valid';
}

const typeWords: Record<string, string> = {
  string: 'a text', integer: 'a whole number', number: 'a number', boolean: 'true or false', object: 'an object', array: 'a list', null: 'null',
};

function patternRule(pattern: string): string {
  return pattern === '\\S'
    ? 'must not be blank'
    : 'must start with a letter or underscore and hold only letters, digits, underscores and hyphens';
}
