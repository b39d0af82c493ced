/** The parts of a new route of the config plane. */
import { withElement, withProperty } from './source-edit.mjs';

/**
 * @typedef {{operation: string, contract: string, method: string, path: string, feature: string, file: string, handler: string,
 *   deps: string, more: string | null}} Route `more`: the type that it needs beside the dependencies of its feature
 */

/** Path parameters, in order. */
export const paramsOf = (path) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);

const answers = {
  get: `{ 200: { description: 'What it answers.', schema: { type: 'object', required: [], properties: {} } } }`,
  post: `{ 201: { description: 'What was made.', schema: { type: 'object', required: [], properties: {} } } }`,
  put: `{ 200: { description: 'What is there now.', schema: { type: 'object', required: [], properties: {} } } }`,
  patch: `{ 200: { description: 'What is there now.', schema: { type: 'object', required: [], properties: {} } } }`,
  delete: `{ 204: { description: 'Gone.' } }`,
};
const status = { get: 200, post: 201, put: 200, patch: 200, delete: 204 };
const verbs = { post: 'create', put: 'replace', patch: 'update', delete: 'delete' };
const hasBody = (method) => ['post', 'put', 'patch'].includes(method);

/** The contract's declaration. @param {Route} route */
export function contractSource({ operation, contract, method, path, feature }) {
  const params = paramsOf(path);
  const snakeFeature = feature.replaceAll('-', '_');
  const param = params.length > 0 ? `, param: '${params.at(-1)}'` : '';
  const audit = `  audit: { action: '${snakeFeature}.${verbs[method]}', target: '${snakeFeature}'${param} },`;
  const lines = [
    `  name: '${operation}',`,
    `  method: '${method}',`,
    `  path: '${path}',`,
    `  tag: '${titleOf(feature)}',`,
    `  auth: '${path.startsWith('/operator/') ? 'operator' : 'config'}',`,
    ...(method === 'get' ? [] : [audit]),
    `  summary: 'What it does, in a line',`,
    ...(params.length > 0 ? [`  params: ${paramsSource(params)},`] : []),
    ...(hasBody(method) ? [`  body: { type: 'object', additionalProperties: false, properties: {} } as const,`] : []),
    `  answers: ${answers[method]},`,
    `  errors: [${params.includes('connector_id') ? `'connector_not_found'` : ''}],`,
  ];
  return `\nexport const ${contract} = defineRoute({\n${lines.join('\n')}\n});\n`;
}

function paramsSource(params) {
  const required = params.map((name) => `'${name}'`).join(', ');
  const properties = params.map((name) => `${name}: { type: 'string', maxLength: 64 }`).join(', ');
  return `{\n    type: 'object', required: [${required}], properties: { ${properties} },\n  } as const`;
}

/** The handler's file. @param {Route} route */
export function handlerSource({ contract, method, path, handler, deps, more }) {
  const [isOperator, inConnector] = [path.startsWith('/operator/'), paramsOf(path).includes('connector_id')];
  const find = inConnector ? `      await findConnector(deps, principal, params.connector_id);\n` : '';
  const body = method === 'delete' ? `{ status: ${status[method]} }` : `{ status: ${status[method]}, body: {} }`;
  const given = inConnector ? '{ params, principal }' : '';
  const type = more ? `${deps} & ${more}` : deps;
  return `import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
${inConnector ? `import { findConnector } from '../../http/find-connector';\n` : ''}${more ? `import type { ${more} } from '../../http/route-deps';\n` : ''}import type { ${deps} } from './deps';

export function ${handler}(deps: ${type}): HttpRoute {
  return implementRoute(configRoutes.${contract}, {
    authenticate: deps.${isOperator ? 'authenticateOperator' : 'authenticate'},
    handler: async (${given}) => {
${find}      return ${body};
    },
  });
}
`;
}

/** A test of the route, over HTTP. @param {Route} route */
export function testSource({ operation, method, path }) {
  const isOperator = path.startsWith('/operator/');
  const inConnector = paramsOf(path).includes('connector_id');
  const url = path.replaceAll(/:(\w+)/g, (_all, name) => (name === 'connector_id' ? '${id}' : 'one'));
  const quoted = inConnector ? `\`${url}\`` : `'${url}'`;
  const call = `${isOperator ? 'lab.operator' : 'owner'}.${method}(${quoted}${hasBody(method) ? ', {}' : ''}).expect(${status[method]});`;
  const setUp = [
    ...(isOperator ? [] : [`  const owner = await lab.owner();`]),
    ...(inConnector ? [`  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };`] : []),
  ];
  return `import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

test('${operation} answers', async () => {
${setUp.map((line) => `${line}\n`).join('')}  await ${call}
});
`;
}

/** The rules of a feature, in docs/conformance.md, without a rule yet. */
export const conformanceSource = (feature) => `/** Further routes of ${feature.replaceAll('-', ' ')}. */
const tests = {
};

const rules = [
];

export const part = { tests, sections: [{ title: '${titleOf(feature)}, further routes', rules }] };
`;

/** The rules with one more, of a route and its test. @param {Route} route */
export function ruleSource(source, { operation, method, path, file }, folder) {
  const name = `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
  const rule = `['\`${name}\`: what it does, in a line', '${operation.replaceAll('_', ' ')} ${operation} answers']`;
  const test = `'${operation.replaceAll('_', ' ')}': '${folder}/${file}.integration.test.ts'`;
  return withElement(withProperty(source, 'tests', test), 'rules', rule);
}

const titleOf = (feature) => `${feature[0].toUpperCase()}${feature.slice(1).replaceAll('-', ' ')}`;

/** What a new feature's routes work with. */
export const depsSource = (deps, feature) => `import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of ${feature.replaceAll('-', ' ')} work with. */
export interface ${deps} {
  store: Pick<ConfigStore, 'connectors'>;
  authenticate: Authenticate<Principal>;
}
`;

/** A new feature's index, without a route yet. */
export const indexSource = (routes, deps, feature) => `import type { HttpRoute } from '@sluice/service-kit';
import type { ${deps} } from './deps';

/** The routes of ${feature.replaceAll('-', ' ')}. */
export const ${routes} = (deps: ${deps}): HttpRoute[] => [
];
`;
