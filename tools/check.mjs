/** `npm run check`: static checks and unit tests. */
import { runChecks } from './checks.mjs';
import { jest } from './lib/jest.mjs';
import { printTotal, sum } from './lib/totals.mjs';

/** @returns {Promise<number>} exit code */
export async function main() {
  const total = sum([await runChecks(), await jest('unit tests', ['unit'], ['--maxWorkers=2'])]);
  printTotal(total);
  return total.failed === 0 ? 0 : 1;
}
