/**
 * Proves that the scaffolds still write what compiles and works: they run in a copy of the tree, whose documents are then written,
 * types checked, and those tests run that look at what was made.
 */
import { run } from './child.mjs';
import { scaffoldEverything } from './scaffolded-tree.mjs';
import { makeCopy, removeCopies } from './tree-copy.mjs';

const purpose = 'scaffolds';

/** What is wrong, or an empty text. */
export async function scaffoldProblems() {
  const tree = makeCopy(purpose, 1);
  try {
    const made = await scaffoldEverything(tree);
    const found = await Promise.all([typeProblems(tree), lintProblems(tree, made), testProblems(tree), manifestProblems(tree)]);
    return found.join('');
  } finally {
    removeCopies(purpose);
  }
}

const typeProblems = (tree) => problems(tree, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json']);

const lintProblems = (tree, made) => problems(tree, ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', ...made.filter((path) => /\.(ts|mjs)$/.test(path))]);

/** That the files for deployment are right with one more service. */
const manifestProblems = (tree) => problems(tree, ['--test', 'tools/manifests/']);

/** Tests that look at what was scaffolded: examples of actions and sources, rules of routes, tests of the service and the workers. */
const tests = [
  'actions/src/(examples|meta-rules)', 'sources/src/(check-source|meta-rules)', 'contracts/src/http/route-rules', 'features/features', 'scaffold-check/', 'scaffold-work',
];
const testProblems = (tree) =>
  problems(tree, ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--ci', '--silent', '--maxWorkers=1', '--testPathPatterns', tests.join('|')]);

async function problems(tree, args) {
  const { code, output } = await run(process.execPath, args, { cwd: tree });
  return code === 0 ? '' : output || `${args.join(' ')} ended with ${code}\n`;
}
