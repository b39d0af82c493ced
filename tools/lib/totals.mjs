/** Counts of tests, added up over check steps and jest runs. */
import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readJson, root } from './workspace.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Totals `failures`: a line for each that failed */

/** A run of many tests that all fail tells its story in the first of them. */
const listedFailures = 100;

/** @returns {Totals} */
export const none = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] });

/** @param {Totals[]} parts @returns {Totals} */
export function sum(parts) {
  const total = none();
  for (const { failures, ...counts } of parts) {
    for (const key of Object.keys(counts)) total[key] += counts[key];
    total.failures.push(...failures);
  }
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
  if (!existsSync(path)) return { ...none(), failed: 1, failures: [`${basename(path)}: jest left no results`] };
  const result = readJson(path);
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const counts = { passed: result.numPassedTests, skipped: result.numPendingTests + result.numTodoTests };
  if (failed === 0 && exitCode !== 0) return { ...counts, failed: 1, failures: [`${basename(path)}: jest ended with ${exitCode}`] };
  return { ...counts, failed, failures: failuresOf(result.testResults) };
}

/** Suites that could not run, and tests that failed, each with the first line of its message. */
function failuresOf(suites) {
  return suites.filter(({ status }) => status === 'failed').flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0) return [`${file}: ${firstLine(message)}`];
    return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}: ${firstLine(failureMessages[0])}`);
  });
}

/** Of a suite that could not run, jest writes a heading above the message. */
const firstLine = (message) => stripVTControlCharacters(message ?? '').split('\n').map((line) => line.trim())
  .find((line) => line !== '' && !line.startsWith('●')) ?? '';

/** Prints what failed, and last the line everyone reads: the tests' own output is far above. @param {Totals} total */
export function printTotal(total) {
  const { failures } = total;
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.slice(0, listedFailures).map((line) => `  ${line}\n`).join('')}`);
  if (failures.length > listedFailures) process.stdout.write(`  and ${failures.length - listedFailures} more\n`);
  process.stdout.write(`${summary(total)}\n`);
}

/** The line everyone reads: `N passed, N failed, N skipped`. @param {Totals} totals */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
