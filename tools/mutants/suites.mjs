/** The suites that may notice a mutant: which files a notice selects, and how they are run in a copy of the tree. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

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

/** About how many seconds a test file of each suite takes, to put long work first. */
const usualSeconds = { unit: 0.5, integration: 5, e2e: 60, manifests: 0.5, simulation: 20 };

/** @param {import('./lists.mjs').Notice} notice @param {string} base root of the tree @returns {number} */
export const expectedCost = (notice, base) => (usualSeconds[notice.project] ?? 0) * (projects.includes(notice.project) ? filesThatNotice(notice, base).length : 0);

/** Suites that jest runs. */
export const isJest = (project) => ['unit', 'integration', 'e2e'].includes(project);

/** Suites that talk to the servers of the test kit. */
export const needsServers = (project) => ['integration', 'e2e'].includes(project);

/**
 * The commands that run what a notice of another suite selects, one after the other; a failing one ends the series.
 * @param {import('./lists.mjs').Notice} notice
 * @param {string} copy root of the copy, where they are run
 * @returns {string[][]} argument lists for node
 */
export function commandsFor(notice, copy) {
  if (notice.project !== 'simulation') return filesThatNotice(notice, copy).map((file) => [join(copy, file)]);
  const argv = JSON.stringify(['--seeds', String(seeds), '--failures', '1', '--workers', '1']);
  const script = `import('./tools/simulate.mjs').then(async (tool) => process.exit(await tool.main(${argv})))`;
  return [[join(copy, 'tools', 'build.mjs')], ['--input-type=module', '-e', script]];
}
