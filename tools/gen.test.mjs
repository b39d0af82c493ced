import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { writeDocuments } from './gen.mjs';

it('a generator that fails is named, and the others write', async (context) => {
  const base = mkdtempSync(join(tmpdir(), 'sluice-gen-'));
  context.after(() => rmSync(base, { recursive: true }));
  const broken = { name: 'broken', outputs: () => Promise.reject(new Error('no rule names the route')) };
  const good = (name, path) => ({ name, outputs: async () => new Map([[path, `of ${name}`]]) });
  const generators = [good('first', 'a/b.md'), broken, good('last', 'b/c.yaml')];
  const { written, problems } = await writeDocuments(base, generators);
  assert.deepEqual(written, ['a/b.md', 'b/c.yaml']);
  assert.deepEqual(problems, ['the generator broken wrote nothing: no rule names the route\n']);
  assert.equal(readFileSync(join(base, 'a/b.md'), 'utf8'), 'of first');
  assert.deepEqual((await writeDocuments(base, generators)).written, []);
});
