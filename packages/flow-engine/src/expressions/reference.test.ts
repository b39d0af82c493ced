import { compileReference, isReference } from './reference';
import { compileTemplate } from './template';
import { aContext } from '../testing/a-context';

const ctx = aContext(
  {
    email: 'a@b.c',
    nothing: null,
    zero: 0,
    tags: ['x', 'y'],
    items: [{ sku: 'A' }, { sku: 'B' }],
    'first-name': 'Ada',
    who: 'Å & co',
  },
  {
    external_id: 'X1',
    outputs: { find_it: { crm_id: '5', found: true }, 'by-mail': { crm_id: '6' }, skipped: null },
    canonical: { city: 'Ulm' },
  },
);

describe('compileReference', () => {
  it.each([
    ['$.payload.email', 'a@b.c'],
    ['$.payload.nothing', null],
    ['$.payload.missing', undefined],
    ['$.payload["first-name"]', 'Ada'],
    ['$.payload.items[*].sku', 'A'],
    ['$.event_type', 'order.created'],
    ['$.external_id', 'X1'],
    ['$.store_id', undefined],
    ['$.timestamp', '2026-03-01T10:00:00.000Z'],
    ['$.connector_id', 'con_1'],
    ['$.canonical.city', 'Ulm'],
    ['$find_it.crm_id', '5'],
    ['$by-mail.crm_id', '6'],
    ['$find_it["found"]', true],
    ['$skipped.crm_id', undefined],
    ['$never.crm_id', undefined],
    ['$toString.name', undefined],
    ['$._item.x', undefined],
  ])('%s gives %j', (text, expected) => {
    expect(compileReference(text).first(ctx)).toEqual(expected);
  });

  it('gives all matches, and lists as their elements', () => {
    expect(compileReference('$.payload.items[*].sku').all(ctx)).toEqual(['A', 'B']);
    expect(compileReference('$.payload.items[*].sku').list(ctx)).toEqual(['A', 'B']);
    expect(compileReference('$.payload.tags').all(ctx)).toEqual([['x', 'y']]);
    expect(compileReference('$.payload.tags').list(ctx)).toEqual(['x', 'y']);
    expect(compileReference('$.payload.email').list(ctx)).toEqual(['a@b.c']);
    expect(compileReference('$.payload.nothing').list(ctx)).toEqual([]);
    expect(compileReference('$.payload.missing').list(ctx)).toEqual([]);
  });

  it.each(['payload.email', '$', '$100', '$.nope.x', '$..email', '$.constructor.x', '$find_it', '', '$.payload.a b'])(
    'refuses %j',
    (text) => {
      expect(() => compileReference(text)).toThrow(expect.objectContaining({ name: 'ExpressionError' }) as Error);
    },
  );

  it('treats prices as plain text', () => {
    expect(['$100', '$5.00', '$', 'a$.b'].map(isReference)).toEqual([false, false, false, false]);
  });
});

describe('compileTemplate', () => {
  it.each([
    ['$.payload.zero', 0],
    ['$.payload.tags', ['x', 'y']],
    ['$.payload.missing', null],
    ['{$.payload.zero} of {$find_it.crm_id}', '0 of 5'],
    ['[{$.payload.missing}]', '[]'],
    ['{$.payload.tags}', '["x","y"]'],
    ['costs $5 {and} more', 'costs $5 {and} more'],
    [
      { a: ['$.payload.email', { b: '{$.external_id}!' }], c: 7 },
      { a: ['a@b.c', { b: 'X1!' }], c: 7 },
    ],
    [null, null],
  ])('%j resolves to %j', (authored, expected) => {
    expect(compileTemplate(authored).resolve(ctx)).toEqual(expected);
  });

  it('percent-encodes the values of references in a url', () => {
    expect(compileTemplate('/x/{$.payload.who}?a=b&c={$.payload.missing}', { url: true }).resolve(ctx)).toBe(
      '/x/%C3%85%20%26%20co?a=b&c=',
    );
  });

  it('refuses a reference inside that does not compile', () => {
    expect(() => compileTemplate({ a: 'x {$.nope} y' })).toThrow(/nope/);
  });

  it('does not let an authored __proto__ reach the prototype', () => {
    const resolved = compileTemplate(JSON.parse('{"__proto__": {"polluted": true}}')).resolve(ctx) as object;
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(resolved)).toEqual(['__proto__']);
  });
});
