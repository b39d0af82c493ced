import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLane, fateOf } from './lane.mjs';
import { createRunner } from './runner.mjs';

const nodeTest = (name, wanted) => `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
test('${name}', () => assert.match(readFileSync('limits.txt', 'utf8'), /${wanted}/));
`;
const files = {
  'limits.txt': 'at most 5\nat least 1\n',
  'tools/manifests/most.test.mjs': nodeTest('most', 'most 5'),
  'tools/manifests/red.test.mjs': nodeTest('red', 'most 6'),
  'tools/manifests/slow.test.mjs': 'setInterval(() => undefined, 1_000);\n',
  'jest.config.js': "module.exports = { projects: [{ displayName: 'unit', rootDir: __dirname, transform: {} }] };\n",
  'services/README.md': '',
  'packages/sum/sum.ts': "exports.sum = (a, b) => a + b;\nexports.half = (a) => a / 2;\nexports.state = require('node:os');\n",
  'packages/sum/sum.test.ts': `const { sum, state } = require('./sum');
test('adds', () => expect(sum(1, 2)).toBe(3));
test('adds nothing', () => {
  expect(sum(3, 0)).toBe(3);
  require('node:fs').appendFileSync('ran.txt', 'x');
});
test('is the first in its process', () => expect(state.used).toBeUndefined());
`,
};

describe('a lane of mutants', () => {
  let tree;
  let lane;
  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'sluice-mutants-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    lane = createLane(tree);
  });
  after(async () => {
    await lane.end();
    rmSync(tree, { recursive: true });
  });
  const fates = async (file, notice, changes) => {
    const results = await lane.try(changes.map(([find, replace], index) => ({ name: String(index), file, find, replace, notice })));
    assert.equal(readFileSync(join(tree, file), 'utf8'), files[file]);
    return results.sort((a, b) => a.mutant.name.localeCompare(b.mutant.name)).map(({ fate }) => fate);
  };
  const limits = (pattern, ...changes) => fates('limits.txt', { project: 'manifests', pattern }, changes);
  const sums = (...changes) => fates('packages/sum/sum.ts', { project: 'unit', pattern: 'sum' }, changes);

  it('tells a change that is noticed from one that is not, and puts the file back', async () => {
    assert.deepEqual(await limits('most', ['most 5', 'most 9'], ['least 1', 'least 0']), ['killed', 'SURVIVED']);
  });

  it('refuses what it cannot apply, and tests that fail anyway', async () => {
    assert.deepEqual(await limits('most', ['at', 'x'], ['nowhere', 'x'], ['most 5', 'x']), ['stale', 'stale', 'killed']);
    assert.deepEqual(await limits('nothing', ['most 5', 'x']), ['stale']);
    assert.deepEqual(await limits('red', ['most 5', 'most 6']), ['broken']);
  });

  it('tries one mutant after the other in one process of jest', async () => {
    const tried = await sums(['a + b', 'a - b'], ['a / 2', 'a / 3'], ['a + b', 'a ++ b'], ['a + b', 'b']);
    assert.deepEqual(tried, ['killed', 'SURVIVED', 'broken', 'killed']);
  });

  it('ends a test file with its first failed test', async () => {
    writeFileSync(join(tree, 'ran.txt'), '');
    await sums(['a + b', 'a - b']);
    assert.equal(readFileSync(join(tree, 'ran.txt'), 'utf8'), 'x', 'the second test ran without the mutant alone');
  });

  it('does not take what a mutant left behind for what the next one does', async () => {
    const leaves = ["exports.state = require('node:os');", "exports.state = require('node:os');\nexports.state.used = true;"];
    assert.deepEqual(await sums(leaves, ['a / 2', 'a / 3']), ['killed', 'SURVIVED']);
  });

  it('ends a run at its limit', async () => {
    const runner = createRunner(tree, { manifests: 1_000 });
    assert.equal((await runner.run({ project: 'manifests', pattern: 'slow' })).verdict, 'late');
  });
});

describe('the fate of a mutant', () => {
  const run = (verdict, ms = 1) => ({ verdict, ms });
  it('of which the run was ended depends on how long the tests take without it', () => {
    assert.equal(fateOf(run('late', 1_000), run('passed', 100)).fate, 'killed');
    assert.equal(fateOf(run('late', 1_000), run('passed', 500)).fate, 'broken');
  });
  it('is not known where the tests fail without it', () => assert.equal(fateOf(run('failed'), run('failed')).fate, 'broken'));
});
