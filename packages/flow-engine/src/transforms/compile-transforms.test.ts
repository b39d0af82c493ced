import { compileMapping } from '../mapping/mapping';
import { aContext } from '../testing/a-context';
import { compileTransforms } from './compile-transforms';

describe('transforms', () => {
  it.each<[string, unknown]>([
    ['lower', {}],
    ['lowercase', { x: 1 }],
    ['split', {}],
    ['split', { sep: 5 }],
    ['split', { sep: '' }],
    ['split', { sep: ',', index: 1.5 }],
    ['match', { pattern: '(' }],
    ['match', { pattern: '(a)\\1' }],
    ['match', { pattern: 'a(?=b)' }],
    ['match', { pattern: 'a', group: 1 }],
    ['replace', { search: '[', with: '', regex: true }],
    ['replace', { search: '(a)', with: '$2', regex: true }],
    ['divide', { by: 0 }],
    ['clamp', {}],
    ['truncate', { length: -1 }],
    ['round', { digits: 99 }],
    ['parse_date', { format: 'dd', zone: 'Mars/Base' }],
    ['normalize_phone_in', { country: 'XX' }],
    ['coalesce', { paths: [] }],
    ['coalesce', { paths: ['payload.a'] }],
    ['concat', { paths: ['$.payload[?(@.a)]'] }],
    ['pick', { path: 'a[?(@.b)]' }],
    ['map_values', { values: [] }],
  ])('refuses %s with %j when compiled', (name, args) => {
    expect(() => compileTransforms([{ name, args: args as Record<string, unknown> }], { multiple: false })).toThrow(
      expect.objectContaining({ name: 'ExpressionError' }) as Error,
    );
  });
});

describe('a mapping with transforms', () => {
  const value = (mapping: Parameters<typeof compileMapping>[0], payload: unknown) =>
    compileMapping(mapping).value(aContext(payload));
  const items = { items: [{ sku: 'a', n: 1 }, { sku: 'b', n: 2 }] };

  it('names itself, the transform and the type of the value it cannot handle', () => {
    const result = value({ source: '$.payload.a', target: 'age', transform: ['trim', 'to_number'] }, { a: { b: 1 } });
    expect(result).toEqual({
      ok: false,
      code: 'mapping_failed',
      message: "mapping 'age': transform 'trim' cannot handle an object: it needs a text",
    });
  });

  it.each([
    ['the first match without a list transform', ['uppercase'], 'A'],
    ['all matches with one', [{ name: 'join', args: { sep: '+' } }], 'a+b'],
    ['each match before the first list transform', ['uppercase', { name: 'join', args: { sep: '+' } }], 'A+B'],
  ])('gives %s', (_title, transform, expected) => {
    expect(value({ source: '$.payload.items[*].sku', target: 't', transform }, items)).toEqual({ ok: true, value: expected });
  });

  it('resolves to nothing when a wildcard has no match, unless something fills it', () => {
    expect(value({ source: '$.payload.items[*].sku', target: 't', transform: ['length'] }, {})).toEqual({
      ok: true,
      value: undefined,
    });
    expect(
      value(
        { source: '$.payload.items[*].sku', target: 't', transform: ['length', { name: 'default', args: { value: 0 } }] },
        {},
      ),
    ).toEqual({ ok: true, value: 0 });
  });
});
