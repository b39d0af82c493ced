import { configRoutes, defineRoute, openApiDocument, type RouteContract } from './index';

const route = defineRoute({
  name: 'put_thing', method: 'put', path: '/things/:thing_id', tag: 'Things', summary: 'Put', auth: 'config',
  params: { type: 'object', required: ['thing_id'], properties: { thing_id: { type: 'string' } } },
  query: { type: 'object', properties: { dry: { type: 'boolean', description: 'Try.' } } },
  body: { type: 'object' },
  answers: { 200: { description: 'Done.', schema: { type: 'object' } }, 204: { description: 'Nothing.' } },
  errors: ['connector_not_found', 'Not Found'],
  headers: { type: 'object', properties: { 'X-Trace': { type: 'string', description: 'Own id.' } } },
  examples: [{ title: 'One thing', body: { a: 1 } }],
});

test('a route becomes an operation with parameters, body, answers, errors and security', () => {
  const document = openApiDocument({ title: 'T', version: '1', routes: [route] }) as any;
  expect(document.openapi).toBe('3.1.0');
  const operation = document.paths['/things/{thing_id}'].put;
  expect(operation).toMatchObject({
    operationId: 'put_thing',
    tags: ['Things'],
    security: [{ bearer: [] }],
    parameters: [
      { name: 'thing_id', in: 'path', required: true },
      { name: 'dry', in: 'query', required: false, description: 'Try.' },
      { name: 'X-Trace', in: 'header', required: false, description: 'Own id.' },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' }, examples: { One_thing: { value: { a: 1 } } } } },
    },
  });
  expect(Object.keys(operation.responses)).toEqual([
    '200',
    '204',
    '400',
    '401',
    '404',
    '408',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  expect(operation.responses['204'].content).toBeUndefined();
  expect(operation.responses['404'].content['application/json'].examples).toEqual({
    connector_not_found: { value: { detail: { error: 'connector_not_found' } } }, Not_Found: { value: { detail: 'Not Found' } },
  });
});

test('a route that a cookie opens says so', () => {
  const document = openApiDocument({ title: 'T', version: '1', routes: [configRoutes.refreshSession] }) as any;
  const { security, parameters } = document.paths['/api/auth/refresh'].post;
  expect(security).toEqual([{ refreshCookie: [] }]);
  expect(parameters).toMatchObject([{ name: 'X-CSRF-Token', in: 'header', required: true }]);
  expect(document.components.securitySchemes.refreshCookie).toMatchObject({ in: 'cookie', name: 'sluice_refresh' });
});

test('a code that the table does not know is refused', () => {
  expect(() => openApiDocument({ title: 'T', version: '1', routes: [{ ...route, errors: ['nope'] }] })).toThrow(
    'put_thing names the error code "nope"',
  );
});

test('every config route finds its place, no operation is lost, and every reference leads somewhere', () => {
  const routes = Object.values<unknown>(configRoutes).filter(isRoute);
  const document = openApiDocument({ title: 'T', version: '1', routes }) as any;
  const operations = Object.values<any>(document.paths).flatMap((path) => Object.values<any>(path));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(routes.map(({ name }) => name).sort());
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  expect(operations.filter(({ responses }) => !('415' in responses)).map(({ operationId }) => operationId)).toEqual([]);
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    expect(Object.keys(document.components.schemas)).toContain(reference);
  }
});

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'method' in value && 'answers' in value;
}
