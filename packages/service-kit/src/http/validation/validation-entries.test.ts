import { schemaCompilers } from './schema-compiler';
import { validationEntries } from './validation-entries';

function problems(schema: object, value: unknown) {
  const check = schemaCompilers.json(schema as never);
  return check(value) ? [] : validationEntries(check.errors, 'body', value);
}
const of = (field: object, value: unknown) => problems({ type: 'object', properties: { f: field } }, { f: value });

test.each<[object, unknown, string, string]>([
  [{ type: 'string' }, 1, 'string_type', 'Input should be a valid string'],
  [{ type: 'integer' }, '1', 'int_type', 'Input should be a valid integer'],
  [{ type: 'number' }, 'x', 'float_type', 'Input should be a valid number'],
  [{ type: 'boolean' }, 'true', 'bool_type', 'Input should be a valid boolean'],
  [{ type: 'array' }, {}, 'list_type', 'Input should be a valid list'],
  [{ type: 'object' }, [], 'dict_type', 'Input should be a valid object'],
  [{ type: ['string', 'null'] }, 1, 'string_type', 'Input should be a valid string'],
  [{ type: ['string', 'integer'] }, [], 'value_error', 'Input should be a valid string or integer'],
  [{ type: 'string', minLength: 1 }, '', 'string_too_short', 'String should have at least 1 character'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'string_too_long', 'String should have at most 2 characters'],
  [{ type: 'string', pattern: '\\S' }, ' ', 'string_pattern_mismatch', 'String should not be blank'],
  [{ type: 'string', pattern: '^a' }, 'b', 'string_pattern_mismatch', 'String should hold only characters that are allowed here'],
  [{ anyOf: [{ type: 'integer' }, { const: '$LATEST' }] }, 'x', 'value_error', "Input should be an integer or '$LATEST'"],
  [{ oneOf: [{ type: 'object', required: ['a'] }, { type: ['string', 'null'], maxLength: 1 }] }, 7,
    'value_error', 'Input should be an object with a or a string or null'],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 7, 'value_error', 'Input should be only one of: a number or an integer'],
  [{ type: 'object', minProperties: 1, properties: { a: {}, b: {} } }, {}, 'too_short', 'Object should have at least 1 field of a, b'],
  [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'too_long', 'Object should have at most 1 field'],
  [{ type: 'array', maxItems: 1 }, [1, 2], 'too_long', 'List should have at most 1 item, not 2'],
  [{ type: 'number', minimum: 1 }, 0, 'greater_than_equal', 'Input should be greater than or equal to 1'],
  [{ type: 'number', exclusiveMaximum: 1 }, 1, 'less_than', 'Input should be less than 1'],
  [{ enum: ['a', 'b', 3] }, 'c', 'enum', "Input should be 'a', 'b' or 3"],
  [{ const: 'a' }, 'c', 'literal_error', "Input should be 'a'"],
  [
    { type: 'string', format: 'date-time' },
    'today',
    'datetime_parsing',
    'Input should be a valid datetime (ISO 8601; without a zone it is UTC)',
  ],
  [{ type: 'string', format: 'uuid' }, 'x', 'uuid_parsing', 'Input should be a valid UUID'],
  [{ not: { const: 1 } }, 1, 'value_error', 'Input is one of those that are not permitted here'],
])('%j refuses %j as %s', (schema, value, type, msg) => {
  expect(of(schema, value)).toEqual([{ type, loc: ['body', 'f'], msg, input: value }]);
});

test('a missing field has its parent as input, an extra one its own value', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'array', items: { type: 'object', required: ['id'], additionalProperties: false, properties: { id: {} } } },
    },
  };
  expect(problems(schema, { a: [{ id: 1 }, { 'x/y~z': 2 }] })).toEqual([
    { type: 'missing', loc: ['body', 'a', 1, 'id'], msg: 'Field required: id', input: { 'x/y~z': 2 } },
    { type: 'extra_forbidden', loc: ['body', 'a', 1, 'x/y~z'], msg: 'Extra inputs are not permitted', input: 2 },
  ]);
});

test('of a choice it reports the branch that was meant', () => {
  const branch = (tag: string, field: string) => ({
    type: 'object',
    required: ['type', field],
    properties: { type: { const: tag }, [field]: { type: 'string' } },
  });
  const schema = { oneOf: [branch('a', 'one'), branch('b', 'two'), { type: 'string' }] };
  expect(of(schema, { type: 'b', two: 1 })).toEqual([
    { type: 'string_type', loc: ['body', 'f', 'two'], msg: 'Input should be a valid string', input: 1 },
  ]);
  expect(of(schema, 7)).toEqual([
    { type: 'value_error', loc: ['body', 'f'], msg: 'Input should be an object with type, one, an object with type, two or a string', input: 7 },
  ]);
});

test('of a choice inside a choice too', () => {
  const inner = { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] };
  const schema = { anyOf: [{ type: 'object', properties: { x: inner } }, { type: 'array' }] };
  expect(of(schema, { x: 'a' })).toEqual([
    { type: 'string_too_short', loc: ['body', 'f', 'x'], msg: 'String should have at least 3 characters', input: 'a' },
  ]);
});

test('of a choice in every item of a list', () => {
  const item = { anyOf: [{ type: 'object', required: ['a'] }, { type: 'string' }] };
  expect(of({ type: 'array', items: item }, [1, {}, 's', null]).map(({ type, loc }) => [type, ...loc])).toEqual([
    ['value_error', 'body', 'f', 0],
    ['missing', 'body', 'f', 1, 'a'],
    ['value_error', 'body', 'f', 3],
  ]);
});

test('a hundred thousand problems are cut short', () => {
  const item = { anyOf: [{ type: 'object' }, { type: 'string' }] };
  const entries = of({ type: 'array', items: item }, Array.from({ length: 100_000 }, () => 1));
  expect(entries.length).toBeGreaterThan(300);
  expect(entries.length).toBeLessThanOrEqual(1_000);
});

test('large inputs are not echoed', () => {
  const schema = {
    type: 'object',
    required: ['z'],
    properties: { s: { type: 'integer' }, l: { type: 'string' } },
  };
  const entries = problems(schema, { s: 'x'.repeat(5000), l: Array.from({ length: 999 }, () => 1) });
  expect(entries).toHaveLength(3);
  expect(entries.find(({ loc }) => loc[1] === 's')?.input).toBe(`${'x'.repeat(1000)}…`);
  expect(entries.find(({ loc }) => loc[1] === 'l')?.input).toBe('[list of 999]');
  expect(entries.find(({ loc }) => loc[1] === 'z')?.input).toBe('[large object]');
});

test('checking changes nothing in a body', () => {
  const value = { n: '5' };
  problems({ type: 'object', properties: { n: { type: 'integer' }, d: { type: 'string', default: 'x' } } }, value);
  expect(value).toEqual({ n: '5' });
});
