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
  const errors = (validate.errors ?? []).filter((error) => !isNoise(error));
  const unknownKeys = errors.filter(isUnknownTopLevelKey).map((error) => String(error.params.additionalProperty));
  return errors.map((error) => {
    if (!isUnknownTopLevelKey(error)) return toProblem(config, error);
    const key = String(error.params.additionalProperty);
    return problem(unknownTopLevelKey, [key], `unknown top-level config key(s): ${unknownKeys.join(', ')}`, key);
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
    return problem('extra_forbidden', [...loc, extra], `'${extra}' is not a known field here`, extra);
  }
  return problem(typeWord(error), loc, `'${field}' ${rule(error)}`, valueAt(config, loc));
}

function typeWord(error: ErrorObject): string {
  return { type: 'type_error', enum: 'enum', const: 'enum' }[error.keyword] ?? 'value_error';
}

function rule(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'pattern') return patternRule(String(error.params.pattern));
  if (error.keyword === 'minLength' && error.params.limit === 1) return 'must not be empty';
  return error.message ?? 'is not valid';
}

function patternRule(pattern: string): string {
  return pattern === '\\S'
    ? 'must not be blank'
    : 'must start with a letter or underscore and hold only letters, digits, underscores and hyphens';
}
