/**
 * `npm run new:route -- <feature> <method> <path> <operation_name>`: a route of the config plane: its contract, its handler, and
 * the entries that make it served; a new feature gets its folder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractHead, contractSource, depsSource, handlerSource, indexSource } from './lib/route-template.mjs';
import { announce, camel, kebab, writeNew } from './lib/scaffold.mjs';
import { replaced, withExport, withImports } from './lib/sorted-lines.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const contracts = 'packages/contracts/src/routes/config';
const features = 'services/config-api/src/features';
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
  process.stdout.write(
    'Next: its schemas, codes and work, and a test beside it; a rule that names the route and the test in ' +
      'tools/gen/conformance/2-routes.mjs; then `npm run gen` enters it in the documents.\n',
  );
  return 0;
}

/**
 * Writes the route under `base`. Nothing is written when its handler exists.
 * @returns {string[]} paths made or changed
 */
export function scaffoldRoute(base, { feature, method, path, operation }) {
  const has = (file) => existsSync(join(base, file));
  const read = (file) => readFileSync(join(base, file), 'utf8');
  const file = `${method}-${kebab(operation).split('-').slice(1).join('-')}`;
  const exports = `${contracts}/index.ts`;
  const [index, top, contractFile] = [`${features}/${feature}/index.ts`, `${features}/index.ts`, `${contracts}/${feature}.ts`];
  const names = has(index) ? namesIn(read(index), index) : newNames(feature);
  const route = { operation, contract: camel(operation), method, path, feature, file, handler: camel(file), deps: names.deps };
  const made = new Map([[`${features}/${feature}/${file}.ts`, handlerSource(route)]]);
  if (!has(index)) made.set(`${features}/${feature}/deps.ts`, depsSource(names.deps, feature));
  writeNew(base, made);
  const changed = new Map([
    [index, withRoute(has(index) ? read(index) : indexSource(names.routes, names.deps, feature), route, index)],
    [contractFile, (has(contractFile) ? read(contractFile) : contractHead) + contractSource(route)],
    [exports, has(contractFile) ? read(exports) : withExport(read(exports), `export * from './${feature}';`)],
    ...(has(index) ? [] : [[top, withFeature(read(top), feature, names)]]),
  ]);
  for (const [name, content] of changed) writeFileSync(join(base, name), content);
  return [...made.keys(), ...changed.keys()];
}

function newNames(feature) {
  const one = camel(feature).replace(/s$/, '');
  return { routes: `${one}Routes`, deps: `${one[0].toUpperCase()}${one.slice(1)}Deps` };
}

function namesIn(source, file) {
  const found = /export const (\w+) = \(deps: (\w+)\): HttpRoute\[\] => \[/.exec(source);
  if (!found) throw new StepError(`${file} has no list of routes any more: adapt tools/new-route.mjs.`);
  return { routes: found[1], deps: found[2] };
}

/** A feature's index with one more route, in order. */
function withRoute(source, { file, handler }, index) {
  const list = /(HttpRoute\[\] => \[\n)([^\]]*)(\];)/;
  const [, , entries] = list.exec(source) ?? [];
  const lines = [...(entries ?? '').split('\n').filter(Boolean), `  ${handler}(deps),`].sort();
  return withImports(replaced(source, list, `$1${lines.join('\n')}\n$3`, index), `import { ${handler} } from './${file}';`);
}

/** The list of features with one more. */
function withFeature(source, feature, { routes, deps }) {
  const file = `${features}/index.ts`;
  const typed = replaced(source, /(export type ConfigApiDeps = )/, `$1${deps} &\n  `, file);
  const listed = replaced(typed, /(configApiRoutes = [^[]*\[\] => \[\n)/, `$1  ...${routes}(deps),\n`, file);
  return withImports(listed, `import { ${routes} } from './${feature}';`, `import type { ${deps} } from './${feature}/deps';`);
}
