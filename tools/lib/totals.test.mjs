import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { jestTotals, sum, summary } from './totals.mjs';
import { root } from './workspace.mjs';

const clean = { testResults: [], numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 1, numTodoTests: 1 };

describe('totals', () => {
  let dir;
  before(() => (dir = mkdtempSync(join(tmpdir(), 'sluice-totals-'))));
  after(() => rmSync(dir, { recursive: true }));
  const totals = (result, code) => {
    writeFileSync(join(dir, 'r.json'), JSON.stringify(result));
    return jestTotals(join(dir, 'r.json'), code);
  };

  it('adds up to the line everyone reads', () => {
    const total = sum([{ passed: 1, failed: 0, skipped: 2, failures: [] }, { passed: 4, failed: 1, skipped: 0, failures: ['lint'] }]);
    assert.equal(summary(total), '5 passed, 1 failed, 2 skipped');
    assert.deepEqual(total.failures, ['lint']);
  });

  it('counts skipped and todo as skipped', () => assert.deepEqual(totals(clean, 0), { passed: 3, failed: 0, skipped: 2, failures: [] }));

  it('counts a suite that could not run as failed', () => {
    assert.equal(totals({ ...clean, numFailedTests: 2, numRuntimeErrorTestSuites: 1 }, 1).failed, 3);
  });

  it('names the tests that failed, and suites that could not run', () => {
    const [file, broken] = ['packages/a.test.ts', 'packages/b.test.ts'];
    const assertionResults = [
      { status: 'passed', fullName: 'adds', failureMessages: [] },
      { status: 'failed', fullName: 'adds up', failureMessages: ['\u001b[2mError: 1 is not 2\u001b[22m\n  at x'] },
    ];
    const testResults = [
      { name: join(root, file), status: 'failed', message: '', assertionResults },
      { name: join(root, broken), status: 'failed', message: '  ● Test suite failed to run\n\n    SyntaxError: y\n', assertionResults: [] },
      { name: join(root, 'packages/c.test.ts'), status: 'passed', message: '', assertionResults: [] },
    ];
    const { failures } = totals({ ...clean, testResults, numFailedTests: 1, numRuntimeErrorTestSuites: 1 }, 1);
    assert.deepEqual(failures, [`${file}: adds up: Error: 1 is not 2`, `${broken}: SyntaxError: y`]);
  });

  it('never calls a broken run green', () => {
    assert.equal(totals(clean, 1).failed, 1);
    assert.equal(jestTotals(join(dir, 'none.json'), 0).failed, 1);
  });
});
