/** `npm run check`: static checks and unit tests. */
import { runChecks } from './checks.mjs';
import { jest } from './lib/jest.mjs';
import { sum, summary } from './lib/totals.mjs';

/** @returns {Promise<number>} exit code */
export async function main() {
  const total = sum([await runChecks(), await jest('unit tests', ['unit'], ['--maxWorkers=2'])]);
  process.stdout.write(`${summary(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}
