import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { root } from '../lib/workspace.mjs';
import { allLists, loadMutants, repeatedNames, staleReason } from './lists.mjs';

describe('the lists of mutants', () => {
  let mutants;
  before(async () => (mutants = await loadMutants()));

  it('fit the tree: each text occurs exactly once, each pattern selects tests', () => {
    const stale = mutants.flatMap((mutant) => (staleReason(mutant) ? [`${mutant.list}, ${mutant.name}: ${staleReason(mutant)}`] : []));
    assert.deepEqual(stale, []);
  });

  it('name each mutant once', () => assert.deepEqual(repeatedNames(mutants), []));

  it('are none of them empty', () => {
    const filled = new Set(mutants.map(({ list }) => join(root, list)));
    assert.deepEqual(allLists().filter((path) => !filled.has(path)), []);
  });
});
