import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../base64';
import { aContext } from '../testing/a-context';
import { compileTransforms } from './compile-transforms';
import { transformCatalogue } from './transform-catalogue';

const ctx = aContext({ mobile: null, phone: '030', first: 'Ada', last: 'Lovelace', n: 7 });
type Case = [name: string, args: Record<string, unknown>, value: unknown, expected: unknown];
/** What a case expects when the transform cannot handle the value. */
const refused = Symbol('refused');

const run = (name: string, args: Record<string, unknown>, value: unknown): unknown => {
  const result = compileTransforms([{ name, args }], { multiple: false }).apply(value, ctx);
  return result.ok ? result.value : refused;
};

const cases: Case[] = [
  ['lowercase', {}, 'ÄB', 'äb'],
  ['lowercase', {}, 5, '5'],
  ['lowercase', {}, {}, refused],
  ['uppercase', {}, 'äb', 'ÄB'],
  ['uppercase', {}, ['a'], refused],
  ['trim', {}, ' \ta b\n', 'a b'],
  ['trim', {}, [], refused],
  ['capitalize', {}, 'élan VITAL', 'Élan VITAL'],
  ['capitalize', {}, '', ''],
  ['capitalize', {}, {}, refused],
  ['title_case', {}, "mary o'neil-SMITH", "Mary O'neil-Smith"],
  ['title_case', {}, {}, refused],
  ['slugify', {}, ' Größe & Übermut! ', 'grosse-ubermut'],
  ['slugify', {}, {}, refused],
  ['strip_html', {}, '<p>a&amp;b<br>c</p><script>x<y</script> 1 < 2 &#233;<!-- <b> -->', 'a&b c 1 < 2 é'],
  ['strip_html', {}, '<p>It <b>is</b>, <a href="x">here</a>.</p>so<!-- -->me<hr>more<bx>', 'It is, here. some more'],
  ['strip_html', {}, [], refused],
  ['to_string', {}, 5.5, '5.5'],
  ['to_string', {}, true, 'true'],
  ['to_string', {}, { a: [1] }, '{"a":[1]}'],
  ['to_number', {}, ' 1.50 ', 1.5],
  ['to_number', {}, true, 1],
  ['to_number', {}, '1,5', refused],
  ['to_number', {}, '', refused],
  ['to_number', {}, '0x10', refused],
  ['to_number', {}, 'Infinity', refused],
  ['to_integer', {}, '-1.9', -1],
  ['to_integer', {}, 'x', refused],
  ['to_boolean', {}, 'Yes', true],
  ['to_boolean', {}, 0, false],
  ['to_boolean', {}, 'off', false],
  ['to_boolean', {}, 'maybe', refused],
  ['to_boolean', {}, [], refused],
  ['to_date', {}, '2026-03-01T23:30:00-05:00', '2026-03-02'],
  ['to_date', {}, 1772323200000, '2026-03-01'],
  ['to_date', {}, '01.03.2026', refused],
  ['to_date', {}, '2026-02-30', refused],
  ['to_datetime', {}, '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['to_datetime', {}, '2026-03-01 10:00', '2026-03-01T10:00:00.000Z'],
  ['to_datetime', {}, 'soon', refused],
  ['to_datetime', {}, 9e15, refused],
  ['to_epoch_ms', {}, '1970-01-01T00:00:01Z', 1000],
  ['to_epoch_ms', {}, '1772323200000', 1772323200000],
  ['to_epoch_ms', {}, true, refused],
  ['normalize_email', {}, ' Ada@Example.COM ', 'ada@example.com'],
  ['normalize_email', {}, 'ada@', refused],
  ['normalize_email', {}, 'a@b@c', refused],
  ['normalize_phone', {}, '+49 (0)30 901820', '+4930901820'],
  ['normalize_phone', {}, '0049 30 901820', '+4930901820'],
  ['normalize_phone', {}, '030 901820', refused],
  ['normalize_domain', {}, 'https://www.Example.com:443/a?b', 'example.com'],
  ['normalize_domain', {}, 'ada@mail.example.com', 'mail.example.com'],
  ['normalize_domain', {}, 'localhost', refused],
  ['json_stringify', {}, { a: 1 }, '{"a":1}'],
  ['json_stringify', {}, 'x', '"x"'],
  ['json_parse', {}, '{"a":1}', { a: 1 }],
  ['json_parse', {}, '{a:1}', refused],
  ['length', {}, 'a😀', 2],
  ['length', {}, [1, 2, 3], 3],
  ['length', {}, 5, refused],
  ['first', {}, [1, 2], 1],
  ['first', {}, [], null],
  ['first', {}, 'ab', refused],
  ['last', {}, [1, 2], 2],
  ['last', {}, {}, refused],
  ['sum', {}, [0.1, 0.2, '0.3', null], 0.6],
  ['sum', {}, [9_007_199_254_740_900, 1], 9_007_199_254_740_901],
  ['sum', {}, [], 0],
  ['sum', {}, ['x'], refused],
  ['sum', {}, 5, refused],
  ['sort', {}, [10, '9', 1], [1, '9', 10]],
  ['sort', {}, ['b', 'a'], ['a', 'b']],
  ['sort', {}, 'ba', refused],
  ['unique', {}, [1, 1, '1', { a: 1, b: 2 }, { b: 2, a: 1 }], [1, '1', { a: 1, b: 2 }]],
  ['unique', {}, 'aa', refused],
  ['reverse', {}, [1, 2], [2, 1]],
  ['reverse', {}, 'a😀', '😀a'],
  ['reverse', {}, 5, refused],
  ['sha256', {}, 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['sha256', {}, [], refused],
  ['base64_encode', {}, 'é!', 'w6kh'],
  ['base64_encode', {}, {}, refused],
  ['base64_decode', {}, 'w6kh', 'é!'],
  ['base64_decode', {}, 'w6k_', 'é?'],
  ['base64_decode', {}, '*', refused],
  ['base64_decode', {}, '/w==', refused],
  ['url_encode', {}, 'a b&ü', 'a%20b%26%C3%BC'],
  ['url_encode', {}, '\ud800', '%EF%BF%BD'],
  ['url_encode', {}, [], refused],
  ['split', { sep: ',' }, 'a,b', ['a', 'b']],
  ['split', { sep: ' ', index: 1 }, 'Ada Lovelace', 'Lovelace'],
  ['split', { sep: ' ', index: -1 }, 'a b c', 'c'],
  ['split', { sep: ' ', index: 5, default: '-' }, 'a', '-'],
  ['split', { sep: ' ', index: 5 }, 'a', null],
  ['split', { sep: ',' }, [], refused],
  ['join', { sep: ', ' }, ['a', 1, null, true], 'a, 1, true'],
  ['join', { sep: '' }, 'ab', refused],
  ['replace', { search: '.', with: '-' }, 'a.b.c', 'a-b-c'],
  ['replace', { search: '(\\w)(\\d)', with: '$2$1', regex: true }, 'a1 b2', '1a 2b'],
  ['replace', { search: 'a', with: '$&' }, 'xax', 'x$&x'],
  ['replace', { search: 'a', with: 'b' }, {}, refused],
  ['match', { pattern: '\\d+' }, 'no 42 or 43', '42'],
  ['match', { pattern: '(\\w+)@', group: 1 }, 'ada@x', 'ada'],
  ['match', { pattern: 'x' }, 'abc', null],
  ['match', { pattern: 'x' }, [], refused],
  ['substring', { start: 1, length: 2 }, 'a😀bc', '😀b'],
  ['substring', { start: -2 }, 'abc', 'bc'],
  ['substring', { start: 9 }, 'abc', ''],
  ['substring', { start: 0 }, {}, refused],
  ['truncate', { length: 5, suffix: '...' }, 'abcdef', 'ab...'],
  ['truncate', { length: 6 }, 'abcdef', 'abcdef'],
  ['truncate', { length: 2, suffix: '...' }, 'abcdef', '..'],
  ['truncate', { length: 2 }, [], refused],
  ['pad_start', { length: 5, fill: '0' }, 42, '00042'],
  ['pad_start', { length: 3 }, 'a', '  a'],
  ['pad_start', { length: 3 }, {}, refused],
  ['prefix', { text: 'C-' }, 7, 'C-7'],
  ['prefix', { text: '' }, {}, refused],
  ['suffix', { text: '!' }, 'a', 'a!'],
  ['suffix', { text: '' }, {}, refused],
  ['default', { value: 'x' }, null, 'x'],
  ['default', { value: 'x' }, undefined, 'x'],
  ['default', { value: 'x' }, '', ''],
  ['coalesce', { paths: ['$.payload.mobile', '$.payload.phone'] }, null, '030'],
  ['coalesce', { paths: ['$.payload.mobile'] }, undefined, undefined],
  ['coalesce', { paths: ['$.payload.phone'] }, 'kept', 'kept'],
  ['map_values', { values: { a: 'A', 1: 'one' } }, 1, 'one'],
  ['map_values', { values: { a: 'A' } }, 'b', null],
  ['map_values', { values: {}, default: 'z' }, 'toString', 'z'],
  ['map_values', { values: {} }, [], refused],
  ['round', { digits: 2 }, 1.005, 1.01],
  ['round', {}, -2.5, -3],
  ['round', { digits: -2 }, 1250, 1300],
  ['round', { digits: 2 }, '1e21', 1e21],
  ['round', {}, 'x', refused],
  ['add', { by: -1 }, '5', 4],
  ['add', { by: 1 }, 'x', refused],
  ['add', { by: 0.2 }, 0.1, 0.3],
  ['multiply', { by: 100 }, 1.5, 150],
  ['multiply', { by: 100 }, '19.99', 1999],
  ['divide', { by: 3 }, 10, 10 / 3],
  ['multiply', { by: 1 }, 9_007_199_254_740_901, 9_007_199_254_740_901],
  ['multiply', { by: 1e308 }, 1e308, refused],
  ['divide', { by: 4 }, 1, 0.25],
  ['divide', { by: 0.1 }, 0.3, 3],
  ['divide', { by: 4 }, {}, refused],
  ['clamp', { min: 0, max: 10 }, 11, 10],
  ['clamp', { min: 0 }, -1, 0],
  ['clamp', { max: 1 }, 'x', refused],
  ['parse_date', { format: 'dd.MM.yyyy' }, '01.03.2026', '2026-03-01T00:00:00.000Z'],
  ['parse_date', { format: 'dd.MM.yyyy HH:mm', zone: 'Europe/Berlin' }, '01.07.2026 12:00', '2026-07-01T10:00:00.000Z'],
  ['parse_date', { format: 'dd.MM.yyyy' }, '2026-03-01', refused],
  ['format_date', { format: 'dd.MM.yyyy' }, '2026-03-01T10:00:00Z', '01.03.2026'],
  ['format_date', { format: 'HH:mm', zone: 'Europe/Berlin' }, '2026-07-01T10:00:00Z', '12:00'],
  ['format_date', { format: 'dd' }, 'x', refused],
  ['add_days', { days: 1 }, '2026-02-28', '2026-03-01'],
  ['add_days', { days: -1 }, '2026-03-01T10:00:00Z', '2026-02-28T10:00:00.000Z'],
  ['add_days', { days: 1 }, 'x', refused],
  ['concat', { paths: ['$.payload.first', '$.payload.mobile', '$.payload.last'], sep: ' ' }, 'ignored', 'Ada Lovelace'],
  ['concat', { paths: ['$.payload.n', '$.payload.first'] }, 0, '7Ada'],
  ['pick', { path: 'a.b' }, { a: { b: 1 } }, 1],
  ['pick', { path: '[1].x' }, [{}, { x: 2 }], 2],
  ['pick', { path: '[*].x' }, [{ x: 1 }, { x: 2 }], [1, 2]],
  ['pick', { path: 'z' }, {}, null],
  ['pick', { path: 'a' }, 'text', refused],
  ['filter_equals', { path: 'kind', value: 'x' }, [{ kind: 'x', n: 1 }, { kind: 'y' }], [{ kind: 'x', n: 1 }]],
  ['filter_equals', { path: '$', value: 2 }, [1, 2], [2]],
  ['filter_equals', { path: 'a', value: 1 }, {}, refused],
  ['normalize_phone_in', { country: 'DE' }, '030 901820', '+4930901820'],
  ['normalize_phone_in', { country: 'de' }, '+1 212 555 2368', '+12125552368'],
  ['normalize_phone_in', { country: 'DE' }, 'call me', refused],
];

describe('transforms', () => {
  it.each(cases)('%s %j of %j', (name, args, value, expected) => {
    expect(run(name, args, value)).toEqual(expected);
  });

  const builtins = 'lowercase uppercase trim capitalize title_case slugify strip_html to_string to_number to_integer to_boolean to_date to_datetime to_epoch_ms normalize_email normalize_phone normalize_domain json_stringify json_parse length first last sum sort unique reverse sha256 base64_encode base64_decode url_encode'.split(' ');
  const parametrics = 'split join replace match substring truncate pad_start prefix suffix default coalesce map_values round add multiply divide clamp parse_date format_date add_days concat pick filter_equals normalize_phone_in'.split(' ');

  it('has exactly the transforms that have a case here', () => {
    const names = (kind: string) => transformCatalogue.filter((one) => one.kind === kind).map((one) => one.name).sort();
    expect(names('builtin')).toEqual([...builtins].sort());
    expect(names('parametric')).toEqual([...parametrics].sort());
    expect([...builtins, ...parametrics].filter((name) => !cases.some(([covered]) => covered === name))).toEqual([]);
  });

  it('describes every transform and argument', () => {
    for (const { description, args } of transformCatalogue) {
      expect(description.length).toBeGreaterThan(8);
      expect(args.every((argument) => argument.description.length > 5)).toBe(true);
    }
  });

  it.each([...builtins, 'join', 'match', 'map_values', 'concat', 'pick', 'add'])(
    'lets null and nothing pass through %s',
    (name) => {
      const args =
        {
          join: { sep: '' },
          match: { pattern: 'x' },
          map_values: { values: {}, default: 1 },
          concat: { paths: ['$.payload.n'] },
          pick: { path: 'a' },
          add: { by: 1 },
        }[name] ?? {};
      expect(run(name, args, null)).toBeNull();
      expect(run(name, args, undefined)).toBeUndefined();
    },
  );

  it('runs hostile patterns in linear time', () => {
    const text = `${'a'.repeat(20_000)}!`;
    expect(run('match', { pattern: '^(a+)+$' }, text)).toBeNull();
    expect(run('strip_html', {}, '<!--'.repeat(20_000))).toBe('');
  });

  it('hashes and encodes like the platform does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text, 'utf8');
        expect(run('sha256', {}, text)).toBe(createHash('sha256').update(bytes).digest('hex'));
        expect(encodeBase64(bytes)).toBe(bytes.toString('base64'));
        expect(decodeBase64(bytes.toString('base64url'))).toBe(bytes.toString('utf8'));
      }),
    );
  });

  it('never throws, whatever the value', () => {
    const transforms = cases.map(([name, args]) => compileTransforms([{ name, args }], { multiple: false }));
    fc.assert(
      fc.property(fc.nat(transforms.length - 1), fc.jsonValue(), (index, value) => {
        expect(typeof transforms[index]!.apply(value, ctx).ok).toBe('boolean');
      }),
      { numRuns: 3000 },
    );
  });
});
