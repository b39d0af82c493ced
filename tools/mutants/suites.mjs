/** The suites that may notice a mutant: which files a notice selects, and how they are run in a copy of the tree. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../lib/workspace.mjs';

/** Where the files of each suite are, and how they end; `not` leaves out what another suite takes. */
const places = {
  unit: { folders: ['packages', 'services'], ends: '.test.ts', not: /\.(integration|e2e)\.test\.ts$/ },
  integration: { folders: ['packages', 'services'], ends: '.integration.test.ts' },
  e2e: { folders: ['test-e2e'], ends: '.e2e.test.ts' },
  manifests: { folders: ['tools/manifests'], ends: '.test.mjs' },
  simulation: { folders: ['tools'], ends: '/simulate.mjs' },
};

/** Names allowed in `notice.project`. */
export const projects = Object.keys(places);

/** Seeds that must be enough for the simulation to notice a mutant. */
const seeds = 1_000;

const listings = new Map();

/**
 * The test files that a notice selects, relative to the root and sorted.
 * @param {import('./lists.mjs').Notice} notice
 * @param {string} base root of the tree
 * @returns {string[]}
 */
export function filesThatNotice({ project, pattern = '' }, base) {
  const key = `${project}\0${base}`;
  if (!listings.has(key)) listings.set(key, testFiles(places[project], base));
  return listings.get(key).filter((path) => new RegExp(pattern).test(path));
}

function testFiles({ folders, ends, not }, base) {
  const found = folders.flatMap((folder) => walk(base, folder));
  return found.filter((path) => path.endsWith(ends) && !not?.test(path)).sort();
}

function walk(base, folder) {
  return readdirSync(join(base, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === 'node_modules' || entry.name === 'dist' ? [] : walk(base, path);
  });
}

/**
 * The commands that run what a notice selects, one after the other; a failing one ends the series.
 * @param {import('./lists.mjs').Notice} notice
 * @param {string} copy root of the copy, where they are run
 * @returns {string[][]} argument lists for node
 */
export function commandsFor(notice, copy) {
  if (notice.project === 'simulation') return simulationIn(copy);
  const files = filesThatNotice(notice, copy);
  if (notice.project === 'manifests') return [['--test', ...files]];
  const jest = [join(copy, 'node_modules', 'jest', 'bin', 'jest.js'), '--ci', '--runInBand', '--json', `--outputFile=${resultPath(copy)}`];
  return [[...jest, `--cacheDirectory=${join(copy, '.cache', 'jest')}`, '--selectProjects', notice.project, '--runTestsByPath', ...files]];
}

function simulationIn(copy) {
  const script = `import('./tools/simulate.mjs').then(async (tool) => process.exit(await tool.main(['--seeds', '${seeds}', '--failures', '1'])))`;
  return [[join(copy, 'tools', 'build.mjs')], ['--input-type=module', '-e', script]];
}

/** Where jest leaves its result. */
export const resultPath = (copy) => join(copy, '.cache', 'mutant-result.json');

/**
 * What a run says. A run that ended badly without a failed test noticed nothing: the change does not compile, or the
 * set-up broke.
 * @param {import('./lists.mjs').Notice} notice
 * @param {string} copy
 * @param {number} code exit code of the last command
 * @returns {'passed' | 'failed' | 'broken'}
 */
export function verdictOf({ project }, copy, code) {
  if (code === 0) return 'passed';
  if (project === 'manifests' || project === 'simulation') return 'failed';
  if (!existsSync(resultPath(copy))) return 'broken';
  return readJson(resultPath(copy)).numFailedTests > 0 ? 'failed' : 'broken';
}
