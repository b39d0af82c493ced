/**
 * Proves that the scaffolders still write what compiles and works: they run on a copy of what they add to, outside
 * the repository, and the result is type-checked and, for an action, its examples are run.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { scaffoldAction } from '../new-action.mjs';
import { scaffoldAdapter } from '../new-adapter.mjs';
import { scaffoldRoute } from '../new-route.mjs';
import { scaffoldService } from '../new-service.mjs';
import { scaffoldSource } from '../new-source.mjs';
import { scaffoldWorker } from '../new-worker.mjs';
import { run } from './child.mjs';
import { snake } from './scaffold.mjs';
import { readJson, root, workspacePackages } from './workspace.mjs';

/** What is wrong, or an empty text. */
export async function scaffoldProblems() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-scaffold-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
    for (const copied of copies) copyPackage(dir, copied);
    scaffoldAction(dir, 'scaffold_check');
    scaffoldSource(dir, 'scaffold-check');
    scaffoldRoutes(dir);
    scaffoldService(dir, 'scaffold-check');
    linkDependencies(join(dir, 'services', 'scaffold-check'));
    for (const service of ['scaffold-check', 'config-api']) scaffoldWorker(dir, service, 'scaffold-work');
    scaffoldAdapter(dir, 'kv-scaffold', 'key-value');
    scaffoldAdapter(dir, 'config-scaffold', 'config-reader');
    for (const name of ['kv-scaffold', 'config-scaffold']) linkDependencies(join(dir, 'packages', 'adapters', name));
    const found = await Promise.all([typeProblems(dir), testProblems(dir)]);
    return found.join('');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What the scaffolds add to, or read. */
const copies = [
  'packages/actions', 'packages/contracts', 'packages/deployment', 'packages/sources', 'packages/ports', 'services/config-api', 'services/standalone',
];

function copyPackage(dir, path) {
  cpSync(join(root, path, 'src'), join(dir, path, 'src'), { recursive: true });
  cpSync(join(root, path, 'package.json'), join(dir, path, 'package.json'));
  if (existsSync(join(root, path, 'node_modules'))) symlinkSync(join(root, path, 'node_modules'), join(dir, path, 'node_modules'));
}

/** A feature of its own with a route of each method, and one more route of every feature that exists. */
function scaffoldRoutes(dir) {
  const existing = featuresOf(dir);
  const [list, one] = ['/api/connectors/:connector_id/scaffold-checks', '/api/scaffold-checks/:check_id'];
  const route = (method, path, operation, feature = 'scaffold-checks') =>
    scaffoldRoute(dir, { feature, method, path, operation });
  route('get', list, 'list_scaffold_checks');
  route('post', list, 'create_scaffold_check');
  route('put', one, 'replace_scaffold_check');
  route('patch', one, 'update_scaffold_check');
  route('delete', one, 'delete_scaffold_check');
  for (const feature of existing) {
    const place = feature === 'operator' ? '/operator' : '/api/connectors/:connector_id';
    route('post', `${place}/${feature}-scaffold`, `create_${snake(feature)}_scaffold`, feature);
  }
}

/** The features of config-api, by their folders. */
export const featuresOf = (dir) => readdirSync(join(dir, 'services/config-api/src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => name);

/** The copies are meant wherever their packages are imported, also by packages that are not copied. */
const sourceOf = (path) => `${path}/src/index.ts`;
const paths = {
  ...Object.fromEntries(['contracts', 'deployment', 'sources'].map((name) => [`@sluice/${name}`, sourceOf(`packages/${name}`)])),
  '@sluice/scaffold-check': sourceOf('services/scaffold-check'),
  '@sluice/contracts/config-document': 'packages/contracts/src/config-document.ts',
};

/** What `pnpm install` would do for a package whose dependencies are all in the workspace already. */
function linkDependencies(dir) {
  const manifest = readJson(join(dir, 'package.json'));
  const homes = new Map(workspacePackages().map((found) => [found.name, found.dir]));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const target = homes.get(name) ?? [...homes.values()].map((home) => join(home, 'node_modules', name)).find(existsSync);
    if (!target) throw new Error(`The template of a service needs ${name}, which nothing in the workspace has.`);
    mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true });
    symlinkSync(resolve(target), join(dir, 'node_modules', name));
  }
}

async function typeProblems(dir) {
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { paths: Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, [`./${path}`]])) },
    include: ['packages/*/src', 'packages/adapters/*/src', 'services/*/src'],
  }));
  const { code, output } = await run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', dir], { cwd: dir });
  // Errors of other packages are the type check's own business; one without a place is of this run's settings.
  const own = output.split('\n').filter((line) => /^((packages|services)\/|tsconfig\.json|error )/.test(line));
  return code === 0 || own.length === 0 ? '' : `${own.join('\n')}\n`;
}

/** Tests that look at what was scaffolded: examples of actions and sources, rules of routes, the test of the service. */
const tests = [
  'packages/actions/', 'packages/sources/', 'contracts/src/route', 'contracts/src/openapi', 'features/features', 'scaffold-check/', 'scaffold-work',
];

async function testProblems(dir) {
  const [unit] = (await import(join(root, 'jest.config.js'))).default.projects;
  const moduleNameMapper = Object.fromEntries(Object.entries(paths).map(([name, path]) => [`^${name}$`, join(dir, path)]));
  const config = { ...unit, rootDir: dir, transform: transformFrom(unit.transform), moduleNameMapper };
  writeFileSync(join(dir, 'jest.config.json'), JSON.stringify(config));
  const args = ['--config', join(dir, 'jest.config.json'), '--ci', '--silent', '--maxWorkers=1', '--testPathPatterns', tests.join('|')];
  const { code, output } = await run(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...args], { cwd: dir });
  return code === 0 ? '' : output;
}

/** The transform's name, resolvable from the temporary folder. */
function transformFrom(transform) {
  const [[pattern, [name, options]]] = Object.entries(transform);
  const entry = join(root, 'node_modules', name);
  if (!readdirSync(entry).includes('package.json')) throw new Error(`${name} is not installed`);
  return { [pattern]: [entry, options] };
}
