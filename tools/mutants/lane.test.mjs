import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLane } from './lane.mjs';

const test = (name, wanted) => `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
test('${name}', () => assert.match(readFileSync('limits.txt', 'utf8'), /${wanted}/));
`;

describe('a lane of mutants', () => {
  const text = 'at most 5\nat least 1\n';
  let tree;
  let lane;
  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'sluice-mutants-'));
    mkdirSync(join(tree, 'tools', 'manifests'), { recursive: true });
    writeFileSync(join(tree, 'limits.txt'), text);
    writeFileSync(join(tree, 'tools', 'manifests', 'most.test.mjs'), test('most', 'most 5'));
    writeFileSync(join(tree, 'tools', 'manifests', 'red.test.mjs'), test('red', 'most 6'));
    lane = createLane(tree, new Map());
  });
  after(() => rmSync(tree, { recursive: true }));
  const fate = async (change, pattern = 'most') => {
    const result = await lane.try({ name: 'a', file: 'limits.txt', ...change, notice: { project: 'manifests', pattern } });
    assert.equal(readFileSync(join(tree, 'limits.txt'), 'utf8'), text);
    return result.fate;
  };

  it('tells a change that is noticed from one that is not, and puts the file back', async () => {
    assert.equal(await fate({ find: 'most 5', replace: 'most 9' }), 'killed');
    assert.equal(await fate({ find: 'least 1', replace: 'least 0' }), 'SURVIVED');
  });

  it('refuses what it cannot apply, and tests that fail anyway', async () => {
    assert.equal(await fate({ find: 'at', replace: 'x' }), 'stale');
    assert.equal(await fate({ find: 'nowhere', replace: 'x' }), 'stale');
    assert.equal(await fate({ find: 'most 5', replace: 'x' }, 'nothing'), 'stale');
    assert.equal(await fate({ find: 'most 5', replace: 'most 6' }, 'red'), 'broken');
  });
});
