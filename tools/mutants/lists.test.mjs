import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadMutants, repeatedNames, staleReason } from './lists.mjs';

/** Raised as lists grow, so that none is lost. */
const least = 650;

describe('the lists of mutants', () => {
  let mutants;
  before(async () => (mutants = await loadMutants()));

  it('fit the tree: each text occurs exactly once, each pattern selects tests', () => {
    const stale = mutants.flatMap((mutant) => (staleReason(mutant) ? [`${mutant.list}, ${mutant.name}: ${staleReason(mutant)}`] : []));
    assert.deepEqual(stale, []);
  });

  it('name each mutant once', () => assert.deepEqual(repeatedNames(mutants), []));

  it('cover the product', () => assert.ok(mutants.length >= least, `${mutants.length} mutants`));
});
