/** Counts of tests, added up over check steps and jest runs. */
import { existsSync } from 'node:fs';
import { readJson } from './workspace.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/** @param {Totals[]} parts @returns {Totals} */
export function sum(parts) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const part of parts) for (const key of Object.keys(total)) total[key] += part[key];
  return total;
}

/**
 * Reads what jest left with --json --outputFile. A suite that could not run counts as one failed test,
 * and so does a run that left nothing or failed without a failed test (its setup broke).
 * @param {string} path
 * @param {number} exitCode
 * @returns {Totals}
 */
export function jestTotals(path, exitCode) {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const result = readJson(path);
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/** The line everyone reads: `N passed, N failed, N skipped`. @param {Totals} totals */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
