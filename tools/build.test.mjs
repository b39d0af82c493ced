import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { build } from './build.mjs';

describe('build', () => {
  let dir;
  const write = (path, text) => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluice-build-'));
    write('src/deep/a.ts', 'export const a: number = 1;');
    write('src/deep/a.test.ts', 'export {};');
    write('src/words.json', '{"hello":"world"}');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('compiles sources, copies the rest, leaves tests out', async () => {
    assert.deepEqual(await build([{ dir }]), { compiled: 2, removed: 0 });
    assert.equal(createRequire(import.meta.url)(join(dir, 'dist/deep/a.js')).a, 1);
    assert.equal(readFileSync(join(dir, 'dist/words.json'), 'utf8'), '{"hello":"world"}');
    assert.equal(existsSync(join(dir, 'dist/deep/a.test.js')), false);
    assert.equal(existsSync(join(dir, 'dist/deep/a.js.map')), true);
  });

  it('does nothing when nothing changed, and compiles what changed, also to an older time', async () => {
    await build([{ dir }]);
    assert.deepEqual(await build([{ dir }]), { compiled: 0, removed: 0 });
    write('src/deep/a.ts', 'export const a: number = 2;');
    utimesSync(join(dir, 'src/deep/a.ts'), new Date(0), new Date(0));
    assert.deepEqual(await build([{ dir }]), { compiled: 1, removed: 0 });
    assert.match(readFileSync(join(dir, 'dist/deep/a.js'), 'utf8'), /2/);
  });

  it('removes outputs whose source is gone', async () => {
    await build([{ dir }]);
    rmSync(join(dir, 'src/deep/a.ts'));
    assert.deepEqual(await build([{ dir }]), { compiled: 0, removed: 2 });
    assert.equal(existsSync(join(dir, 'dist/deep/a.js')), false);
  });

  it('re-exports a name with the getter of the module that has it', async () => {
    write('src/deep/index.ts', "export * from './a';");
    write('src/index.ts', "export * from './deep'; export * from 'node:path'; export { a as b } from './deep';");
    await build([{ dir }]);
    const load = createRequire(import.meta.url);
    const getterOf = (path) => Object.getOwnPropertyDescriptor(load(join(dir, path)), 'a').get;
    assert.equal(getterOf('dist/index.js'), getterOf('dist/deep/a.js'));
    const { a, b, join: joined } = load(join(dir, 'dist/index.js'));
    assert.deepEqual([a, b, joined], [1, 1, join]);
  });

  it('keeps import() a real import and names the file that does not compile', async () => {
    write('src/dynamic.ts', "export const load = () => import('node:fs');");
    await build([{ dir }]);
    assert.match(readFileSync(join(dir, 'dist/dynamic.js'), 'utf8'), /import\('node:fs'\)/);
    write('src/broken.ts', 'export const = ;');
    await assert.rejects(build([{ dir }]), /broken\.ts does not compile/);
  });
});
