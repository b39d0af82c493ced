/**
 * Proves that the scaffolders still write what compiles and works: they run on a copy of what they add to, outside
 * the repository, and the result is type-checked and, for an action, its examples are run.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { scaffoldAction } from '../new-action.mjs';
import { scaffoldService } from '../new-service.mjs';
import { run } from './child.mjs';
import { readJson, root, workspacePackages } from './workspace.mjs';

/** What is wrong, or an empty text. */
export async function scaffoldProblems() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-scaffold-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
    const actions = join('packages', 'actions');
    cpSync(join(root, actions, 'src'), join(dir, actions, 'src'), { recursive: true });
    symlinkSync(join(root, actions, 'node_modules'), join(dir, actions, 'node_modules'));
    scaffoldAction(dir, 'scaffold_check');
    scaffoldService(dir, 'scaffold-check');
    linkDependencies(join(dir, 'services', 'scaffold-check'));
    const found = await Promise.all([typeProblems(dir), testProblems(dir)]);
    return found.join('');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

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
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.base.json'), include: ['packages/*/src', 'services/*/src'] }));
  const { code, output } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', dir], { cwd: dir });
  // Errors of other packages are the type check's own business.
  const own = output.split('\n').filter((line) => /^(packages|services)\//.test(line));
  return code === 0 || own.length === 0 ? '' : `${own.join('\n')}\n`;
}

/** The actions package's own tests, which run every example, and the tests that the service's template brings. */
async function testProblems(dir) {
  const [unit] = (await import(join(root, 'jest.config.js'))).default.projects;
  const config = { ...unit, rootDir: dir, transform: transformFrom(unit.transform) };
  writeFileSync(join(dir, 'jest.config.json'), JSON.stringify(config));
  const args = ['--config', join(dir, 'jest.config.json'), '--ci', '--silent', '--maxWorkers=1', '--passWithNoTests'];
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
