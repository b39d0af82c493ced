/** The static checks of `npm run check`, each of which counts as one test of `npm test`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './lib/child.mjs';
import { citationProblems } from './lib/citations.mjs';
import { fullFolderProblems } from './lib/full-folders.mjs';
import { importCircleProblems } from './lib/import-circles.mjs';
import { seconds } from './lib/steps.mjs';
import { none } from './lib/totals.mjs';
import { root } from './lib/workspace.mjs';
import { staleDocuments } from './gen.mjs';
import { scaffoldProblems } from './lib/scaffold-check.mjs';
import { unusedCode } from './lib/unused-code.mjs';

const bin = (name, script) => join(root, 'node_modules', name, script);
const tsc = bin('typescript-native', 'bin/tsc');
const eslint = bin('eslint', 'bin/eslint.js');
const oxlint = bin('oxlint', 'bin/oxlint');
const cruiser = bin('dependency-cruiser', 'bin/dependency-cruise.mjs');
const folders = ['packages', 'services', 'test-e2e', 'bench'];

/** Name and work of every check; the work resolves to what is wrong, empty when nothing is. */
const checks = [
  { name: 'types', find: () => tool(tsc, ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo']) },
  { name: 'lint', find: () => tool(eslint, ['.', '--cache', '--cache-location', '.cache/eslint', '--max-warnings', '0']) },
  { name: 'lint that asks for types', find: () => tool(oxlint, ['--type-aware', ...folders]) },
  { name: 'types of flow-engine (pure)', find: () => tool(tsc, ['-p', 'packages/flow-engine/tsconfig.json', '--noEmit']) },
  { name: 'types of key-lanes (pure)', find: () => tool(tsc, ['-p', 'packages/key-lanes/tsconfig.json', '--noEmit']) },
  { name: 'boundaries', find: () => tool(cruiser, [...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long']) },
  { name: 'no imports in a circle', find: importCircleProblems },
  { name: 'no folder is too full', find: fullFolderProblems },
  { name: 'citations can be opened', find: citationProblems },
  { name: 'nothing is unused', find: unusedCode },
  { name: 'generated files are fresh', find: staleDocuments },
  { name: 'scaffolds work', find: scaffoldProblems },
  { name: 'the tools themselves', find: testTools },
];

/**
 * Runs all checks, two at a time, and prints a line for each.
 * @returns {Promise<import('./lib/totals.mjs').Totals>}
 */
export async function runChecks() {
  const totals = none();
  const queue = [...checks];
  const lane = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const result = await report(check);
      totals[result] += 1;
      if (result === 'failed') totals.failures.push(`check: ${check.name}`);
    }
  };
  await Promise.all([lane(), lane()]);
  return totals;
}

async function report({ name, find }) {
  const started = performance.now();
  const problems = await find().catch((error) => error.stack);
  const mark = problems ? '✗' : '✓';
  process.stderr.write(`${mark} ${name} (${seconds(started)} s)\n${problems ? `${problems.trimEnd()}\n` : ''}`);
  return problems ? 'failed' : 'passed';
}

async function testTools() {
  const files = readdirSync(join(root, 'tools'), { recursive: true }).filter((file) => file.endsWith('.test.mjs'));
  const { code, output } = await run(process.execPath, ['--test', ...files.map((file) => join(root, 'tools', file))], { cwd: root });
  return code === 0 ? '' : output;
}

async function tool(script, args) {
  const existing = args.filter((arg) => !folders.includes(arg) || existsSync(join(root, arg)));
  const { code, output } = await run(process.execPath, [script, ...existing], { cwd: root });
  return code === 0 ? '' : output || `ended with ${code}`;
}
