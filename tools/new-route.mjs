/**
 * `npm run new:route -- <feature> <method> <path> <operation_name>`: a route of the config plane: its contract, its handler and its
 * test, the entries that make it served, and the rule of docs/conformance.md that names it; a new feature gets its folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeSet } from './lib/change-set.mjs';
import { run } from './lib/child.mjs';
import { conformanceSource, contractSource, depsSource, handlerSource, indexSource, ruleSource, testSource } from './lib/route-template.mjs';
import { announce, camel, kebab } from './lib/scaffold.mjs';
import { membersOf, nameOfList, withElement, withExportFrom, withImport, withListParameter, withTypePart } from './lib/source-edit.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const contracts = 'packages/contracts/src/routes/config';
const features = 'services/config-api/src/features';
/** As the linter has it, with a line for an import. */
const maxLines = 299;
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** @returns {Promise<number>} exit code */
export async function main([feature, method, path, operation]) {
  const named = /^[a-z]+(-[a-z]+)*$/.test(feature ?? '') && /^[a-z]+(_[a-z]+)+$/.test(operation ?? '');
  if (!named || !methods.includes(method) || !/^\/(api|operator)\//.test(path ?? ''))
    throw new StepError(
      'Usage: npm run new:route -- <feature> <method> <path> <operation_name>, for example: ' +
        'notes get /api/connectors/:connector_id/notes list_notes',
    );
  announce(scaffoldRoute(root, { feature, method, path, operation }));
  const { code } = await run(process.execPath, [join(root, 'tools', 'run.mjs'), 'gen'], { cwd: root, show: true });
  if (code !== 0) throw new StepError('`npm run gen` failed; see above. The files are made.');
  process.stdout.write(`Next: its schemas, codes and work, its test, and its rule in ${conformanceFile(feature)}.\n`);
  return 0;
}

const conformanceFile = (feature) => `tools/gen/conformance/40-${feature}.mjs`;

/**
 * Writes the route under `base`, all of it or nothing.
 * @returns {string[]} paths made or changed
 * @throws StepError when one of its files exists or an entry has no place
 */
export function scaffoldRoute(base, { feature, method, path, operation }) {
  const changes = new ChangeSet(base);
  const folder = `${features}/${feature}`;
  const file = `${method}-${kebab(operation).split('-').slice(1).join('-')}`;
  const isNew = changes.read(`${folder}/index.ts`) === null;
  const names = isNew ? newNames(feature) : namesIn(changes.read(`${folder}/index.ts`), `${folder}/index.ts`);
  const route = { operation, contract: camel(operation), method, path, feature, file, handler: camel(file), deps: names.deps, more: null };
  if (isNew) createFeature(changes, folder, feature, names);
  else route.more = missingDeps(changes.read(`${folder}/deps.ts`), route);
  changes.create(`${folder}/${file}.ts`, handlerSource(route));
  changes.create(`${folder}/${file}.integration.test.ts`, testSource(route));
  changes.edit(`${folder}/index.ts`, (source) => withRoute(source, names, route));
  enterContract(changes, feature, route);
  enterRule(changes, feature, route);
  return changes.write();
}

function newNames(feature) {
  const one = camel(feature).replace(/s$/, '');
  return { routes: `${one}Routes`, deps: `${one[0].toUpperCase()}${one.slice(1)}Deps` };
}

function namesIn(source, file) {
  const { name, parameterType } = nameOfList(source, 'HttpRoute[]') ?? {};
  if (name === undefined) throw new StepError(`${file} has no list of routes any more: adapt tools/new-route.mjs.`);
  return { routes: name, deps: parameterType.split(' & ')[0] };
}

function createFeature(changes, folder, feature, { routes, deps }) {
  changes.create(`${folder}/deps.ts`, depsSource(deps, feature));
  changes.create(`${folder}/index.ts`, indexSource(routes, deps, feature));
  changes.edit(`${features}/index.ts`, (source) => {
    const listed = withElement(withTypePart(source, 'ConfigApiDeps', deps), 'configApiRoutes', `...${routes}(deps)`);
    return withImport(withImport(listed, { from: `./${feature}`, name: routes }), { from: `./${feature}/deps`, name: deps, type: true });
  });
}

/**
 * The type that a route needs beside the dependencies of its feature; null: they are enough. A feature that inherits its dependencies
 * is not looked into: to name them twice does no harm.
 */
function missingDeps(source, { deps, path }) {
  if (path.startsWith('/operator/')) return membersOf(source, deps).has('authenticateOperator') ? null : 'OperatorRouteDeps';
  const members = membersOf(source, deps);
  const isAuthenticated = members.has('authenticate');
  if (!path.includes(':connector_id')) return isAuthenticated ? null : 'RouteDeps';
  return isAuthenticated && members.get('store')?.includes("'connectors'") ? null : 'ConnectorRouteDeps';
}

function withRoute(source, { routes }, { handler, file, more }) {
  // The longer parameter first: then it shows whether the list still fits on its line.
  const given = more ? withImport(withListParameter(source, routes, more), { from: '../../http/route-deps', name: more, type: true }) : source;
  return withImport(withElement(given, routes, `${handler}(deps)`, 'in order'), { from: `./${file}`, name: handler });
}

/** In the file of the feature; in a file of its own where that one is full. */
function enterContract(changes, feature, route) {
  const folder = folderOfContract(changes.base, feature);
  const lines = `${changes.read(`${contracts}/${folder}/${feature}.ts`) ?? ''}${contractSource(route)}`.split('\n').length;
  const name = lines > maxLines ? kebab(route.operation) : feature;
  const file = `${contracts}/${folder}/${name}.ts`;
  if (changes.read(file) === null) {
    changes.create(file, '');
    changes.edit(`${contracts}/index.ts`, (source) => withExportFrom(source, `./${folder}/${name}`));
  }
  changes.edit(file, (source) => withImport(`${source}${contractSource(route)}`, { from: '../../../http/route', name: 'defineRoute' }));
}

/** The folder that has the file of the feature; without one a folder of its name. */
function folderOfContract(base, feature) {
  const folders = readdirSync(join(base, contracts), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.find(({ name }) => existsSync(join(base, contracts, name, `${feature}.ts`)))?.name ?? feature;
}

function enterRule(changes, feature, route) {
  const file = conformanceFile(feature);
  if (changes.read(file) === null) changes.create(file, conformanceSource(feature));
  changes.edit(file, (source) => ruleSource(source, route, `${features}/${feature}`));
}
