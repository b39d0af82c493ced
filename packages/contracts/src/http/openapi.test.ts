import { configRoutes, defineRoute, openApiDocument, type RouteContract } from '..';

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
    '403',
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

test('a code that comes with two statuses stands below both', () => {
  const document = openApiDocument({ title: 'T', version: '1', routes: [configRoutes.publishDraft] }) as any;
  const { responses } = document.paths['/api/connectors/{connector_id}/publish'].post;
  for (const status of ['400', '409']) expect(responses[status].description).toContain('`publish_review_required`');
});

test('a route that streams says what it takes and gives', () => {
  const streaming = defineRoute({
    name: 'stream_thing', method: 'post', path: '/streams', tag: 'Things', summary: 'Stream', auth: 'none', audit: null,
    body: { type: 'object', additionalProperties: true },
    form: {
      fields: { type: 'object', additionalProperties: false, required: ['entity'], properties: { entity: { type: 'string' } } },
      files: {
        file: { description: 'Rows.', maxBytes: 10, required: true },
        map: { description: 'Map.', maxBytes: 5, required: false },
      },
    },
    answers: {
      200: { description: 'A file.', stream: 'file', contentType: 'application/zip' },
      202: { description: 'Events.', stream: 'events', events: { done: { description: 'The end.', schema: { type: 'null' } } } },
    },
    errors: [],
  });
  const uploading = defineRoute({
    ...streaming, name: 'upload_thing', path: '/uploads', body: undefined, form: undefined,
    upload: { description: 'A package.', maxBytes: 9, contentTypes: ['application/zip'] },
    answers: { 204: { description: 'Taken.' } },
  } as any) as RouteContract;
  const document = openApiDocument({ title: 'T', version: '1', routes: [streaming, uploading] }) as any;
  const { requestBody, responses, parameters } = document.paths['/streams'].post;
  expect(requestBody.content).toEqual({
    'application/json': { schema: { type: 'object', additionalProperties: true } },
    'multipart/form-data': {
      schema: {
        type: 'object', additionalProperties: false, required: ['entity', 'file'],
        properties: {
          entity: { type: 'string' },
          file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'Rows. At most 10 bytes.' },
          map: { type: 'string', contentMediaType: 'application/octet-stream', description: 'Map. At most 5 bytes.' },
        },
      },
    },
  });
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['Range', 'If-Range', 'Last-Event-ID']);
  const bytes = { 'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } } };
  expect([responses['200'].content, responses['206'].content]).toEqual([bytes, bytes]);
  expect(responses['206'].headers).toHaveProperty('Content-Range');
  expect(responses['202'].content['text/event-stream']).toEqual({
    schema: { type: 'string', description: expect.stringContaining('`done`: The end.') }, 'x-events': { done: { type: 'null' } },
  });
  for (const [status, code] of [['400', 'Malformed form'], ['415', 'Unsupported content type'], ['416', 'Range Not Satisfiable']])
    expect(Object.values(responses[status!].content['application/json'].examples)).toContainEqual({ value: { detail: code } });
  expect(responses['503'].description).toContain('too_many_streams');
  const upload = document.paths['/uploads'].post;
  expect(upload.requestBody).toMatchObject({ description: 'A package. At most 9 bytes.', content: bytes });
  expect(Object.keys(upload.responses)).toEqual(expect.arrayContaining(['204', '408', '413', '415', '503']));
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
