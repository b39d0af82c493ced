import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keysRead } from './unread-settings.mjs';
import { pruned, unknown } from './unused-code.mjs';
import { findUnused, readModule } from './unused-exports.mjs';

/** What is unused among files of these names and texts. */
function unusedIn(texts, alsoUsed = []) {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, readModule(path, text)]));
  const resolve = (_from, specifier) => [specifier.replace('./', ''), specifier.replace('@x/', '')].map((name) => `${name}.ts`).find((name) => files.has(name));
  const isTest = (path) => path.endsWith('.test.ts');
  return findUnused(files, { resolve, isTest, alsoUsed: new Set(alsoUsed) }).map(({ path, name }) => `${path}#${name}`);
}

describe('an export', () => {
  it('is used by an import of its name, by its own file, and by a namespace', () => {
    const texts = { 'a.ts': 'export const one = 1; export const two = one; export type Three = 3;', 'b.ts': "import { two, type Three } from './a'; const x: Three = two;" };
    assert.deepEqual(unusedIn(texts), []);
    assert.deepEqual(unusedIn({ ...texts, 'b.ts': "import { two } from './a';" }), ['a.ts#Three']);
    for (const whole of ["import * as a from './a';", "const a = await import('./a');", "type A = typeof import('./a');", "const a = require('./a');"])
      assert.deepEqual(unusedIn({ 'a.ts': 'export const one = 1;', 'b.ts': whole }), [], whole);
  });

  it('is used through the files that pass it on', () => {
    const texts = { 'a.ts': 'export const one = 1; export const two = 2;', 'index.ts': "export * from './a';", 'b.ts': "import { one } from './index';" };
    assert.deepEqual(unusedIn(texts), ['a.ts#two']);
    const named = { 'a.ts': 'export const one = 1;', 'index.ts': "export { one as first } from './a';" };
    assert.deepEqual(unusedIn(named), ['a.ts#one', 'index.ts#first']);
    assert.deepEqual(unusedIn({ ...named, 'b.ts': "import { first } from './index';" }), []);
  });

  it('is not used by the test of its file, but by the tests of other packages', () => {
    const text = { 'a.ts': 'export function one() {}' };
    assert.deepEqual(unusedIn({ ...text, 'a.test.ts': "import { one } from './a';" }), ['a.ts#one']);
    assert.deepEqual(unusedIn({ ...text, 'b.test.ts': "import { one } from '@x/a';" }), []);
    assert.deepEqual(unusedIn(text, ['one']), []);
  });

  it('of a type that is passed on belongs to what is passed on with it', () => {
    assert.deepEqual(unusedIn({ 'a.ts': 'export interface One {} export const f = (x: One) => x;', 'index.ts': "export { f, type One } from './a';", 'b.ts': "import { f } from './index';" }), []);
  });
});

it('a setting is read as a property or as a part of a pattern', () => {
  assert.deepEqual([...keysRead('const { a, b: c, ...d } = settings; f(settings.e); const g = { h: 1 };')].sort(), ['a', 'b', 'd', 'e']);
});

it('what is unused has a reason, and a reason goes with its cause', () => {
  assert.deepEqual(unknown(['a'], { a: 'soon' }, 'the export'), []);
  assert.match(unknown(['a'], {}, 'the export').join(), /a is used by nothing/);
  assert.deepEqual(pruned({ exports: { b: 'soon', a: 'soon' }, settings: {} }, { exports: ['a'], settings: ['c'] }), { exports: { a: 'soon' }, settings: {} });
});
