/**
 * `npm test`: static checks, then every suite. With arguments (patterns of paths) only the suites they select run.
 * The last line is `N passed, N failed, N skipped`; a check counts as a test.
 */
import { runChecks } from './checks.mjs';
import { jest } from './lib/jest.mjs';
import { sum, summary } from './lib/totals.mjs';

/** @returns {Promise<number>} exit code */
export async function main(args) {
  const parts = args.length > 0 ? [] : [await runChecks()];
  const rest = args.length > 0 ? ['--testPathPatterns', ...args] : [];
  parts.push(await jest('unit and integration tests', ['unit', 'integration'], ['--maxWorkers=2', ...rest]));
  // One at a time: each of these runs several processes of its own.
  parts.push(await jest('end-to-end tests', ['e2e'], ['--runInBand', ...rest]));
  const total = sum(parts);
  process.stdout.write(`${summary(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}
