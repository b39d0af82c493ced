import { wordsOfPattern } from '@sluice/contracts';
import type { ErrorObject } from 'ajv';
import { orList, quoted, shapeWords } from './shape-words';
import type { ValidationPlace } from './validation-place';

/** A problem in the words of an entry. `field` is appended to `loc`; `inputField` says whose value is the input. */
export interface Problem {
  type: string;
  msg: string;
  field?: string;
  inputField?: string;
}

type Describe = (error: ErrorObject, value: unknown, place: ValidationPlace) => Problem;

const plural = (count: unknown, word: string): string => `${String(count)} ${word}${count === 1 ? '' : 's'}`;
/** The number of fields, and which there are where the schema lists them. */
const fields = ({ params, parentSchema }: ErrorObject): string => {
  const names = Object.keys((parentSchema?.properties as object | undefined) ?? {});
  return `${plural(params.limit, 'field')}${names.length > 0 ? ` of ${names.join(', ')}` : ''}`;
};
/** What any branch of a choice takes. */
const alternatives = ({ schema }: ErrorObject): string => orList([...new Set((schema as unknown[]).map(shapeWords))]);
const items = (error: ErrorObject, value: unknown, bound: string): string =>
  `List should have at ${bound} ${plural(error.params.limit, 'item')}, not ${Array.isArray(value) ? value.length : 0}`;

const byKeyword: Record<string, Describe> = {
  required: ({ params }) => ({
    type: 'missing',
    msg: `Field required: ${params.missingProperty}`,
    field: params.missingProperty,
  }),
  dependentRequired: ({ params }) => ({
    type: 'missing',
    msg: `Field required with ${params.property}: ${params.missingProperty}`,
    field: params.missingProperty,
  }),
  additionalProperties: ({ params }) => extra(params.additionalProperty),
  unevaluatedProperties: ({ params }) => extra(params.unevaluatedProperty),
  'false schema': () => ({ type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }),
  propertyNames: ({ params }) => ({
    type: 'value_error',
    msg: 'This name is not allowed',
    field: params.propertyName,
    inputField: params.propertyName,
  }),
  type: describeType,
  minLength: ({ params }) => ({
    type: 'string_too_short',
    msg: `String should have at least ${plural(params.limit, 'character')}`,
  }),
  maxLength: ({ params }) => ({
    type: 'string_too_long',
    msg: `String should have at most ${plural(params.limit, 'character')}`,
  }),
  pattern: ({ params }) => ({ type: 'string_pattern_mismatch', msg: `String should ${wordsOfPattern(params.pattern)}` }),
  minItems: (error, value) => ({ type: 'too_short', msg: items(error, value, 'least') }),
  maxItems: (error, value) => ({ type: 'too_long', msg: items(error, value, 'most') }),
  minProperties: (error) => ({ type: 'too_short', msg: `Object should have at least ${fields(error)}` }),
  maxProperties: (error) => ({ type: 'too_long', msg: `Object should have at most ${fields(error)}` }),
  uniqueItems: ({ params }) => ({ type: 'value_error', msg: `Items ${params.j} and ${params.i} are equal` }),
  minimum: ({ params }) => ({ type: 'greater_than_equal', msg: `Input should be greater than or equal to ${params.limit}` }),
  maximum: ({ params }) => ({ type: 'less_than_equal', msg: `Input should be less than or equal to ${params.limit}` }),
  exclusiveMinimum: ({ params }) => ({ type: 'greater_than', msg: `Input should be greater than ${params.limit}` }),
  exclusiveMaximum: ({ params }) => ({ type: 'less_than', msg: `Input should be less than ${params.limit}` }),
  multipleOf: ({ params }) => ({ type: 'multiple_of', msg: `Input should be a multiple of ${params.multipleOf}` }),
  enum: ({ params }) => ({ type: 'enum', msg: `Input should be ${orList(params.allowedValues.map(quoted))}` }),
  const: ({ params }) => ({ type: 'literal_error', msg: `Input should be ${quoted(params.allowedValue)}` }),
  format: ({ params }) => byFormat[params.format] ?? { type: 'value_error', msg: `Input should be a valid ${params.format}` },
  anyOf: (error) => ({ type: 'value_error', msg: `Input should be ${alternatives(error)}` }),
  oneOf: (error) => ({
    type: 'value_error',
    msg: error.params.passingSchemas
      ? `Input should be only one of: ${alternatives(error)}`
      : `Input should be ${alternatives(error)}`,
  }),
  not: () => ({ type: 'value_error', msg: 'Input is one of those that are not permitted here' }),
};

const byFormat: Record<string, Problem> = {
  'date-time': { type: 'datetime_parsing', msg: 'Input should be a valid datetime (ISO 8601; without a zone it is UTC)' },
  date: { type: 'date_parsing', msg: 'Input should be a valid date (ISO 8601)' },
  time: { type: 'time_parsing', msg: 'Input should be a valid time' },
  uuid: { type: 'uuid_parsing', msg: 'Input should be a valid UUID' },
  uri: { type: 'url_parsing', msg: 'Input should be a valid URL' },
  email: { type: 'value_error', msg: 'Input should be a valid email address' },
};

/** Says what is wrong, in the style API users know. `value` is what lies at the error's place. */
export function describeProblem(error: ErrorObject, value: unknown, place: ValidationPlace): Problem {
  return byKeyword[error.keyword]?.(error, value, place) ?? { type: 'value_error', msg: error.message ?? 'Input is not valid' };
}

function extra(field: string): Problem {
  return { type: 'extra_forbidden', msg: 'Extra inputs are not permitted', field, inputField: field };
}

const typeWords: Record<string, { name: string; words: string }> = {
  string: { name: 'string', words: 'string' },
  integer: { name: 'int', words: 'integer' },
  number: { name: 'float', words: 'number' },
  boolean: { name: 'bool', words: 'boolean' },
  object: { name: 'dict', words: 'object' },
  array: { name: 'list', words: 'list' },
  null: { name: 'none', words: 'null' },
};

/** In a query every value is text: there the text could not be read as the type. */
function describeType({ params }: ErrorObject, value: unknown, place: ValidationPlace): Problem {
  const wanted = [params.type].flat().filter((type: string, _, all: string[]) => type !== 'null' || all.length === 1);
  const [first] = wanted;
  const word = first === undefined ? undefined : typeWords[first];
  if (wanted.length !== 1 || !word) {
    return {
      type: 'value_error',
      msg: `Input should be a valid ${wanted.map((type: string) => typeWords[type]?.words ?? type).join(' or ')}`,
    };
  }
  if (first === 'integer' && typeof value === 'number')
    return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' };
  const unreadable = place !== 'body' && typeof value === 'string' && first !== 'string';
  const msg = `Input should be a valid ${word.words}${unreadable ? `, unable to parse the text as ${word.words}` : ''}`;
  return { type: `${word.name}_${unreadable ? 'parsing' : 'type'}`, msg };
}
