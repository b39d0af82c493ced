/**
 * A copy of the tree in which every scaffold ran: an action, a source, an adapter, a service, a worker in each service that has a list of
 * them, and a route of each feature. The copy is built and its documents are written.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scaffoldAction } from '../new-action.mjs';
import { scaffoldAdapter } from '../new-adapter.mjs';
import { scaffoldRoute } from '../new-route.mjs';
import { scaffoldService } from '../new-service.mjs';
import { scaffoldSource } from '../new-source.mjs';
import { scaffoldWorker } from '../new-worker.mjs';
import { runOrFail } from './child.mjs';
import { snake } from './scaffold.mjs';
import { readJson, serviceNames, workspacePackages } from './workspace.mjs';

/** The service that is made. */
export const service = 'scaffold-check';

/**
 * @param {string} tree root of a copy of the tree (`makeCopy`)
 * @returns {Promise<string[]>} the files that were made or changed, relative to it
 */
export async function scaffoldEverything(tree) {
  const made = [
    scaffoldAction(tree, 'scaffold_check'),
    scaffoldSource(tree, 'scaffold-check'),
    scaffoldAdapter(tree, 'kv-scaffold', 'key-value'),
    scaffoldAdapter(tree, 'config-scaffold', 'config-reader'),
    scaffoldService(tree, service),
    ...routes(tree).map((route) => scaffoldRoute(tree, route)),
    ...[service, ...serviceNames()].filter((name) => hasWorkers(tree, name)).map((name) => scaffoldWorker(tree, name, 'scaffold-work')),
  ].flat();
  for (const path of [`services/${service}`, 'packages/adapters/kv-scaffold', 'packages/adapters/config-scaffold', 'services/standalone']) linkDependencies(tree, path);
  await runOrFail(process.execPath, ['tools/build.mjs'], { cwd: tree });
  await runOrFail(process.execPath, ['-e', "import('./tools/gen.mjs').then(({ main }) => main([])).then((code) => process.exit(code))"], { cwd: tree });
  return [...new Set(made)];
}

/** A new feature with a route of each method, and one more route of every feature that exists. */
export function routes(tree) {
  const [list, one] = ['/api/connectors/:connector_id/scaffold-checks', '/api/scaffold-checks/:check_id'];
  const of = (method, path, operation, feature = 'scaffold-checks') => ({ feature, method, path, operation });
  return [
    ...featuresOf(tree).map((feature) => of('post', `${placeOf(feature)}/${feature}-scaffold`, `create_${snake(feature)}_scaffold`, feature)),
    of('get', list, 'list_scaffold_checks'),
    of('post', list, 'create_scaffold_check'),
    of('put', one, 'replace_scaffold_check'),
    of('patch', one, 'update_scaffold_check'),
    of('delete', one, 'delete_scaffold_check'),
  ];
}

const placeOf = (feature) => (feature === 'operator' ? '/operator' : '/api/connectors/:connector_id');

/** The features of config-api, by their folders. */
export const featuresOf = (tree) => readdirSync(join(tree, 'services/config-api/src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => name);

const hasWorkers = (tree, name) => /\bworkers\b[^=\n]*= \[/.test(readFileSync(join(tree, 'services', name, 'src', 'compose.ts'), 'utf8'));

/** What `pnpm install` would do for a package whose dependencies are all in the workspace already. */
function linkDependencies(tree, path) {
  const manifest = readJson(join(tree, path, 'package.json'));
  const homes = new Map([...workspacePackages().map((found) => [found.name, join(tree, found.path)]), [`@sluice/${service}`, join(tree, 'services', service)]]);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const link = join(tree, path, 'node_modules', name);
    if (existsSync(link)) continue;
    const target = homes.get(name) ?? [...homes.values()].map((home) => join(home, 'node_modules', name)).find(existsSync);
    if (!target) throw new Error(`The template needs ${name}, which nothing in the workspace has.`);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
}
