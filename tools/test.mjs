/**
 * `npm test`: static checks, the simulation of the flow runner, then every suite. With arguments (patterns of paths) only the suites they select run.
 * The last line is `N passed, N failed, N skipped`; a check counts as a test.
 */
import { runChecks } from './checks.mjs';
import { jest } from './lib/jest.mjs';
import { sum, summary } from './lib/totals.mjs';
import { main as simulate } from './simulate.mjs';

/** @returns {Promise<number>} exit code */
export async function main(args) {
  const parts = args.length > 0 ? [] : [await runChecks()];
  const rest = args.length > 0 ? ['--testPathPatterns', ...args] : [];
  if (args.length === 0) parts.push(await simulation());
  parts.push(await jest('unit and integration tests', ['unit', 'integration'], ['--maxWorkers=3', ...rest]));
  parts.push(...(args.length > 0 ? [await jest('end-to-end tests', ['e2e'], ['--runInBand', ...rest])] : await endToEnd()));
  const total = sum(parts);
  process.stdout.write(`${summary(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}

/**
 * Each of these suites starts processes of its own and mostly waits for them, so two run at a time.
 * The one of attacks compares times of answers and has the machine to itself.
 */
async function endToEnd() {
  const others = await jest('end-to-end tests', ['e2e'], ['--maxWorkers=3', '--testPathPatterns', 'test-e2e/src/(?!abuse)']);
  return [others, await jest('end-to-end tests of attacks', ['e2e'], ['--runInBand', '--testPathPatterns', 'test-e2e/src/abuse'])];
}

/** The flow runner in seeded worlds (docs/simulation.md): all of them are one test. */
async function simulation() {
  process.stderr.write('\n• simulation of the flow runner ...\n');
  const code = await simulate(['--seeds', '1000']);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}
