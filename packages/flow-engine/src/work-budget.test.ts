import type { FieldMapping } from '@sluice/contracts/config-document';
import { compilePath, parsePath } from './expressions/json-path';
import { compileMapping } from './mapping/mapping';
import { compileProjection } from './mapping/projection';
import { compileTemplate } from './expressions/template';
import { aContext } from './testing/a-context';
import { defaultExpressionLimits, ExpressionLimitError, WorkBudget } from './work-budget';

const thousand = 'a'.repeat(1_000);
const valueOf = (mapping: Partial<FieldMapping>, payload: unknown) =>
  compileMapping({ source: '$.payload.a', target: 'note', ...mapping }).value(aContext(payload));
const limited = { ok: false, code: 'expression_limit' };

/** Lists in lists: each union of two members below doubles what the one before matched. */
function nestedLists(depth: number): unknown {
  let value: unknown = [1, 1];
  for (let level = 0; level < depth; level += 1) value = [value, value];
  return value;
}

describe('expression limits', () => {
  it('stops a path whose unions multiply', () => {
    const path = compilePath(parsePath(`$${'[0,1]'.repeat(40)}`));
    expect(() => path.all(nestedLists(45), new WorkBudget())).toThrow(ExpressionLimitError);
  });

  it('stops descendants below matches that multiply', () => {
    const path = compilePath(parsePath(`$${'[0,1]'.repeat(16)}..*`));
    expect(() => path.all(nestedLists(45), new WorkBudget())).toThrow(ExpressionLimitError);
  });

  it('counts all expressions of one event together', () => {
    const ctx = aContext({ list: Array.from({ length: 50_000 }, () => 1) });
    const mapping = compileMapping({ source: '$.payload.list[*]', target: 'n', transform: ['sum'] });
    const answers = Array.from({ length: 40 }, () => mapping.value(ctx).ok);
    expect([answers[0], answers.at(-1)]).toEqual([true, false]);
  });

  const attacks: [string, Partial<FieldMapping>, unknown][] = [
    // Longer than a string of V8 may be: if it were made before it is counted, another error would occur.
    ['replace that grows', { transform: [{ name: 'replace', args: { search: 'a', with: 'b'.repeat(600_000) } }] }, thousand],
    [
      'a pattern that grows',
      { transform: [{ name: 'replace', args: { search: 'a', with: 'b'.repeat(400_000), regex: true } }] },
      thousand,
    ],
    [
      'groups that grow',
      { transform: [{ name: 'replace', args: { search: '(a+)', with: '$1'.repeat(2_000), regex: true } }] },
      thousand,
    ],
    [
      'replace after replace',
      { transform: Array.from({ length: 8 }, () => ({ name: 'replace', args: { search: 'a', with: 'aaaaaaaaaa' } })) },
      thousand,
    ],
    [
      'a slow pattern',
      { transform: [{ name: 'match', args: { pattern: `${'('.repeat(400)}b${')'.repeat(400)}` } }] },
      thousand.repeat(900),
    ],
    [
      'a separator of its own between many',
      { transform: [{ name: 'join', args: { sep: 'x'.repeat(100_000) } }] },
      Array.from({ length: 1_000 }, () => 1),
    ],
    ['a part for each character', { transform: [{ name: 'split', args: { sep: 'a' } }] }, thousand.repeat(200)],
    [
      'the text of a value that is there many times',
      { source: '$.payload.a[*]', transform: ['json_stringify'] },
      Array.from({ length: 2_000 }, () => thousand),
    ],
    ['a text that grows although it is over the bound', { transform: ['url_encode'] }, thousand.repeat(1_100)],
    [
      'a search for a large value in many elements',
      { transform: [{ name: 'filter_equals', args: { path: '$', value: Array.from({ length: 3_000 }, () => 1) } }] },
      Array.from({ length: 1_000 }, () => 1),
    ],
  ];
  it.each(attacks)('refuses %s, and names the mapping', (_name, mapping, value) => {
    const answer = valueOf(mapping, { a: value });
    expect(answer).toMatchObject(limited);
    expect((answer as { message: string }).message).toMatch(/^mapping 'note' asks for /);
  });

  it('cuts, hashes and measures a text of any length', () => {
    const long = thousand.repeat(5_000);
    expect(valueOf({ transform: [{ name: 'truncate', args: { length: 3 } }] }, { a: long })).toEqual({ ok: true, value: 'aaa' });
    expect(valueOf({ transform: ['length'] }, { a: long })).toEqual({ ok: true, value: 5_000_000 });
    expect(valueOf({}, { a: long })).toEqual({ ok: true, value: long });
  });

  it('refuses a record whose texts together are too long', () => {
    const field_mappings = Array.from({ length: 1_000 }, (_, n) => ({ source: '$.payload.a', target: `p${n}` }));
    const projection = compileProjection({ name: 'note', schemas: { crm: { field_mappings } } }, 'crm');
    expect(projection.projectProperties(aContext({ a: thousand.repeat(10) }))).toMatchObject(limited);
    expect(projection.projectProperties(aContext({ a: thousand }))).toMatchObject({ ok: true });
  });

  it('limits the texts that templates make', () => {
    const template = compileTemplate(`x${'{$.payload.a}'.repeat(100)}`);
    expect(() => template.resolve(aContext({ a: thousand.repeat(500) }))).toThrow(ExpressionLimitError);
    expect(() => compileTemplate('x {$.payload.a}').resolve(aContext({ a: nestedLists(40) }))).toThrow(ExpressionLimitError);
  });

  it('refuses a value that is nested too deep to be serialized', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(valueOf({ transform: ['json_stringify'] }, { a: deep })).toMatchObject(limited);
  });

  it('uses the limits of the context', () => {
    const budget = new WorkBudget({ ...defaultExpressionLimits, valueLength: 10 });
    const mapping = compileMapping({
      source: '$.payload.a',
      target: 'note',
      transform: [{ name: 'suffix', args: { text: '12345678901' } }],
    });
    expect(mapping.value(aContext({ a: 'x' }, { budget }))).toMatchObject(limited);
  });
});
