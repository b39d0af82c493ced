import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withElement, withExportFrom, withImport, withProperty, withTypePart } from './source-edit.mjs';

const lines = (...all) => `${all.join('\n')}\n`;

describe('one more import', () => {
  const source = lines("import { join } from 'node:path';", "import { a } from '@x/a';", "import {", "  c,", "  type E,", "} from '@x/c';", "import { here } from './here';", '', 'export const x = 1;');

  it('stands where its module belongs: of Node, of packages, of files', () => {
    assert.ok(withImport(source, { from: '@x/b', name: 'b' }).includes("'@x/a';\nimport { b } from '@x/b';\nimport {\n"));
    assert.ok(withImport(source, { from: 'node:os', name: 'arch' }).startsWith("import { arch } from 'node:os';\nimport { join }"));
    assert.ok(withImport(source, { from: './zebra', name: 'z', type: true }).includes("'./here';\nimport type { z } from './zebra';\n"));
    assert.ok(withImport('export const x = 1;\n', { from: '@x/b', name: 'b' }).startsWith("import { b } from '@x/b';\nexport"));
  });

  it('joins the names that the module gives already, in their order, and is not repeated', () => {
    assert.ok(withImport(source, { from: '@x/a', name: 'b' }).includes("import { a, b } from '@x/a';"));
    assert.ok(withImport(source, { from: '@x/c', name: 'd', type: true }).includes("  c,\n  type d,\n  type E,\n}"));
    assert.equal(withImport(source, { from: '@x/c', name: 'c' }), source);
  });

  it('does not make a value of a type', () => {
    const types = "import type { A } from './a';\n";
    assert.ok(withImport(types, { from: './a', name: 'b' }).includes("import { b } from './a';"));
    assert.equal(withImport(types, { from: './a', name: 'B', type: true }), "import type { A, B } from './a';\n");
  });
});

describe('one more element', () => {
  it('of a list on one line, which becomes many where it does not fit', () => {
    assert.equal(withElement('const all = [b, d] as const;\n', 'all', 'c', 'in order'), 'const all = [b, c, d] as const;\n');
    assert.equal(withElement('const all = [] as const;\n', 'all', 'a'), 'const all = [a] as const;\n');
    const long = `${'x'.repeat(60)}`;
    assert.equal(withElement(`const all = [${long}, ${long}];\n`, 'all', 'z'), `const all = [\n  ${long},\n  ${long},\n  z,\n];\n`);
  });

  it('of a list of many lines: comments, calls and brackets inside stay as they are', () => {
    const source = lines('export const routes = (deps: Deps): Route[] => [', '  // The first.', '  a(deps, [1, 2]),', '  c({ x: [] }), // last', '];');
    const expected = lines('export const routes = (deps: Deps): Route[] => [', '  // The first.', '  a(deps, [1, 2]),', '  b(deps),', '  c({ x: [] }), // last', '];');
    assert.equal(withElement(source, 'routes', 'b(deps)', 'in order'), expected);
    assert.ok(withElement(source, 'routes', 'd(deps)').endsWith('  c({ x: [] }), // last\n  d(deps),\n];\n'));
    assert.equal(withElement('const all = [\n  a,\n  b\n];\n', 'all', 'c'), 'const all = [\n  a,\n  b,\n  c,\n];\n');
    assert.equal(withElement('const all = [\n];\n', 'all', 'c'), 'const all = [\n  c,\n];\n');
  });

  it('of the list that a function answers at its end', () => {
    const source = 'const all = (deps: D): R[] => {\n  const x = [1];\n  return [\n    a(x),\n  ];\n};\n';
    assert.ok(withElement(source, 'all', 'b(deps)').includes('    a(x),\n    b(deps),\n  ];\n};'));
  });

  it('of an object', () => {
    assert.equal(withProperty('const all = { a, c } as const satisfies X;\n', 'all', 'b: two', 'in order'), 'const all = { a, b: two, c } as const satisfies X;\n');
  });

  it('is refused where there is no such list', () => {
    assert.throws(() => withElement('const all = of();\n', 'all', 'c'), /no list all/);
    assert.throws(() => withElement('const other = [];\n', 'all', 'c'), /no list all/);
  });
});

it('one more part of a type, and one more export', () => {
  assert.equal(withTypePart('export type All = A &\n  B;\n', 'All', 'C'), 'export type All = C &\n  A &\n  B;\n');
  assert.equal(withTypePart('type All = A;\n', 'All', 'C'), 'type All = C & A;\n');
  assert.throws(() => withTypePart('', 'All', 'C'), /no type All/);
  assert.equal(withExportFrom("export * from './a';\nexport * from './c';\n", './b'), "export * from './a';\nexport * from './b';\nexport * from './c';\n");
  assert.equal(withExportFrom("export * from './a';\n", './a'), "export * from './a';\n");
});
