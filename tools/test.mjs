/**
 * `npm test`: static checks, integration tests, then end-to-end tests beside unit tests and the simulation of the flow runner, then
 * the tests of attacks. With arguments (patterns of paths) only the suites that they select run.
 * The last line is `N passed, N failed, N skipped`; a check counts as a test.
 */
import { runChecks } from './checks.mjs';
import { jest } from './lib/jest.mjs';
import { none, printTotal, sum } from './lib/totals.mjs';
import { main as simulate } from './simulate.mjs';

/** @returns {Promise<number>} exit code */
export async function main(args) {
  const total = sum(args.length > 0 ? await selected(args) : await everything());
  printTotal(total);
  return total.failed === 0 ? 0 : 1;
}

async function selected(patterns) {
  const rest = ['--testPathPatterns', ...patterns];
  const quick = await jest('unit and integration tests', ['unit', 'integration'], ['--maxWorkers=3', ...rest]);
  return [quick, await jest('end-to-end tests', ['e2e'], ['--runInBand', ...rest])];
}

/**
 * The end-to-end suites start processes and wait for them half of the time. Suites that only compute run at the same time, with
 * the idle processors. The suite of attacks compares times of answers, so nothing else runs beside it.
 */
async function everything() {
  const parts = [await runChecks()];
  parts.push(await jest('integration tests', ['integration'], ['--maxWorkers=3']));
  const waiting = jest('end-to-end tests', ['e2e'], ['--maxWorkers=3', '--testPathPatterns', 'test-e2e/src/(?!abuse)']);
  parts.push(...(await Promise.all([waiting, simulation(), jest('unit tests', ['unit'], ['--maxWorkers=2'], { yields: true })])));
  return [...parts, await jest('end-to-end tests of attacks', ['e2e'], ['--runInBand', '--testPathPatterns', 'test-e2e/src/abuse'])];
}

/** The flow runner in seeded worlds (docs/simulation.md): all of them are one test. */
async function simulation() {
  process.stderr.write('\n• simulation of the flow runner ...\n');
  const code = await simulate(['--seeds', '1000'], { yields: true });
  if (code === 0) return { ...none(), passed: 1 };
  return { ...none(), failed: 1, failures: ['simulation of the flow runner: see its seeds above'] };
}
