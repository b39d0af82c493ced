/** Runs jest on some of its projects and counts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { become } from './child.mjs';
import { jestTotals } from './totals.mjs';
import { root } from './workspace.mjs';

const heartbeatMs = 30_000;

/**
 * @param {string} label names the run in its progress lines and its result file
 * @param {string[]} projects jest projects (jest.config.js)
 * @param {string[]} args more arguments for jest
 * @param {{ yields?: boolean }} options see `become`
 * @returns {Promise<import('./totals.mjs').Totals>}
 */
export async function jest(label, projects, args, options = {}) {
  const results = join(root, '.cache', 'test-results', `${label.replaceAll(' ', '-')}.json`);
  mkdirSync(join(results, '..'), { recursive: true });
  rmSync(results, { force: true });
  process.stderr.write(`\n• ${label} ...\n`);
  const started = performance.now();
  const beat = setInterval(() => {
    process.stderr.write(`  ${label}: ${Math.round((performance.now() - started) / 1000)} s\n`);
  }, heartbeatMs);
  const cli = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const argv = [cli, '--ci', '--passWithNoTests', '--json', `--outputFile=${results}`, '--selectProjects', ...projects, ...args];
  const code = await become(process.execPath, argv, { ...options, cwd: root, stdio: ['ignore', 2, 2] });
  clearInterval(beat);
  return jestTotals(results, code);
}
