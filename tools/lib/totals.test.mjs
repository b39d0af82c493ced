import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { jestTotals, sum, summary } from './totals.mjs';

const clean = { numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 1, numTodoTests: 1 };

describe('totals', () => {
  let dir;
  before(() => (dir = mkdtempSync(join(tmpdir(), 'sluice-totals-'))));
  after(() => rmSync(dir, { recursive: true }));
  const totals = (result, code) => {
    writeFileSync(join(dir, 'r.json'), JSON.stringify(result));
    return jestTotals(join(dir, 'r.json'), code);
  };

  it('adds up to the line everyone reads', () => {
    const parts = [{ passed: 1, failed: 0, skipped: 2 }, { passed: 4, failed: 1, skipped: 0 }];
    assert.equal(summary(sum(parts)), '5 passed, 1 failed, 2 skipped');
  });

  it('counts skipped and todo as skipped', () => assert.deepEqual(totals(clean, 0), { passed: 3, failed: 0, skipped: 2 }));

  it('counts a suite that could not run as failed', () => {
    assert.equal(totals({ ...clean, numFailedTests: 2, numRuntimeErrorTestSuites: 1 }, 1).failed, 3);
  });

  it('never calls a broken run green', () => {
    assert.equal(totals(clean, 1).failed, 1);
    assert.equal(jestTotals(join(dir, 'none.json'), 0).failed, 1);
  });
});
