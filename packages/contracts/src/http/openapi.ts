import { errorAnswerSchema, validationEntrySchema } from '../common-schemas';
import { errorCodes, errorDetail, errorWord, type ErrorCode } from './error-codes';
import { openApiRequestBody } from './openapi-request-body';
import { openApiSuccesses, streamParameters } from './openapi-successes';
import type { JsonSchema, RouteAnswer, RouteAuth, RouteContract } from './route';
import { keyRefusalOf } from './route-callers';

export interface OpenApiOptions {
  title: string;
  version: string;
  description?: string;
  servers?: readonly { url: string; description?: string }[];
  routes: readonly RouteContract[];
  /** More named schemas, and by route name a body that is more precise than the contract's: it may refer to them. */
  schemas?: Readonly<Record<string, JsonSchema>>;
  bodies?: Readonly<Record<string, JsonSchema>>;
}

/** A JSON document, ready to be serialized. */
export type OpenApiDocument = Record<string, unknown>;

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Session token or organization API key.' },
  session: { type: 'http', scheme: 'bearer', description: 'Session token of a signed-in user.' },
  connectorKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Connector API key.' },
  operator: { type: 'http', scheme: 'bearer', description: 'Operator token of the installation.' },
  signature: { type: 'apiKey', in: 'header', name: 'X-Signature',
    description: 'Signature of a webhook; the source names its header and form.' },
  compatKey: {
    type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Compat key; the ingress profile names its header.',
  },
  refreshCookie: { type: 'apiKey', in: 'cookie', name: 'sluice_refresh', description: 'Set by sign-up, login and refresh.' },
};

const securityOf: Record<RouteAuth, readonly Record<string, string[]>[]> = {
  none: [],
  config: [{ bearer: [] }],
  user: [{ session: [] }],
  owner: [{ session: [] }],
  owner_or_key: [{ bearer: [] }],
  account: [{ session: [] }],
  account_or_key: [{ bearer: [] }],
  connector_key: [{ connectorKey: [] }],
  signature: [{ signature: [] }],
  compat_key: [{ compatKey: [] }],
  operator: [{ operator: [] }],
};

/** The OpenAPI 3.1 document of a set of routes: paths, parameters, bodies, answers, errors, security. */
export function openApiDocument({
  title,
  version,
  description,
  servers,
  routes,
  schemas,
  bodies = {},
}: OpenApiOptions): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route, bodies[route.name]) };
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description && { description }) },
    ...(servers && { servers }),
    tags,
    paths,
    components: { securitySchemes, schemas: { ...ownSchemas, ...schemas } },
  };
}

const validationAnswerSchema = {
  type: 'object',
  required: ['detail'],
  properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationEntry' } } },
};

/** `/a/:id` becomes `/a/{id}`. */
function openApiPath(path: string): string {
  return path.replaceAll(/[:*]([A-Za-z_]\w*)/g, '{$1}');
}

const ownSchemas = { Error: errorAnswerSchema, ValidationEntry: validationEntrySchema, ValidationError: validationAnswerSchema };

function operation(route: RouteContract, body = route.body): Record<string, unknown> {
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...parametersOf('header', route.headers),
    ...parametersOf('header', streamParameters(route)),
  ];
  const requestBody = openApiRequestBody(route, body);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: route.cookie === undefined ? securityOf[route.auth] : [{ [route.cookie]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...openApiSuccesses(route), ...failures(route) },
  };
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>;
  required?: readonly string[];
}

function parametersOf(place: 'path' | 'query' | 'header', schema: JsonSchema | undefined): Record<string, unknown>[] {
  const { properties = {}, required = [] } = (typeof schema === 'object' ? schema : {}) as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(property.description && { description: property.description }),
    schema: property,
  }));
}

/** The route's own codes and those every route may answer, gathered by status. */
function failures(route: RouteContract): Record<string, unknown> {
  if (route.failures) return Object.fromEntries(
    Object.entries(route.failures).map(([status, answer]) => [status, ownFailure(answer)]),
  );
  const byStatus = new Map<number, string[]>();
  for (const code of [...commonCodes(route), ...route.errors]) {
    if (!(code in errorCodes))
      throw new Error(`route ${route.name} names the error code "${code}", which error-codes.ts does not know`);
    const { status } = errorCodes[code as ErrorCode];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  const validates = [route.body, route.form, route.query, route.params].some((part) => part !== undefined);
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), errorAnswer(codes, status === 422 && validates)]);
  return { ...Object.fromEntries(entries), ...(validates && !byStatus.has(422) && { 422: errorAnswer([], true) }) };
}

const ownFailure = ({ description, schema }: RouteAnswer): Record<string, unknown> =>
  ({ description, ...(schema !== undefined && { content: { 'application/json': { schema } } }) });

function commonCodes(route: RouteContract): ErrorCode[] {
  const body: ErrorCode[] = route.body === undefined ? [] : ['Malformed JSON', 'Request Timeout', 'payload_too_large'];
  const site: ErrorCode[] = route.sameSite ? ['Unsupported content type', 'CSRF validation failed'] : [];
  return [...body, ...site, ...streamErrors(route), ...callerCodes(route), 'Unsupported content encoding', 'internal_error',
    'service_unavailable'];
}

/** What a route answers to callers that it does not let in. */
function callerCodes(route: RouteContract): ErrorCode[] {
  const { auth, method, needsVerified, organization } = route;
  if (auth === 'none') return method === 'get' ? [] : ['Rate limit exceeded for org'];
  if (auth === 'connector_key') return ['Missing x-api-key header', 'Invalid or revoked API key'];
  if (auth === 'signature') return ['Invalid signature'];
  if (auth === 'compat_key') return [];
  if (auth === 'operator') return ['Not authenticated', 'Invalid token', 'Not Found', 'too_many_attempts'];
  const keyRefusal = keyRefusalOf(route);
  const inOrganization = auth !== 'account' && auth !== 'account_or_key';
  return [
    'Not authenticated', 'Invalid token', 'Token missing required claims', 'Invalid token claims', 'User not found',
    'account_deactivated', 'Rate limit exceeded for org',
    ...(inOrganization ? (['not_a_member', 'no_active_organization'] as const) : []),
    ...(inOrganization && method !== 'get' ? (['organization_closed'] as const) : []),
    ...(organization === undefined ? [] : (['Not Found'] as const)),
    ...(organization === 'active' ? (['wrong_active_org'] as const) : []),
    ...(auth === 'owner' || auth === 'owner_or_key' ? (['owner_required'] as const) : []),
    ...(keyRefusal === undefined ? [] : [keyRefusal]),
    ...(needsVerified ? (['email_not_verified'] as const) : []),
  ];
}

const bodyErrors = ['Request Timeout', 'payload_too_large', 'Unsupported content type'] as const;

function streamErrors({ form, upload, answers }: RouteContract): ErrorCode[] {
  const kinds = Object.values(answers).map(({ stream }) => stream);
  return [
    ...(form ? ['Malformed form' as const] : []),
    ...(form ?? upload ? bodyErrors : []),
    ...(kinds.includes('file') ? ['Range Not Satisfiable' as const] : []),
    ...(form ?? upload ?? kinds.find((kind) => kind !== undefined) ? ['too_many_streams' as const] : []),
  ];
}

function errorAnswer(codes: readonly string[], validation: boolean): Record<string, unknown> {
  const lines = codes.map((code) => `\`${errorWord(code as ErrorCode)}\`: ${errorCodes[code as ErrorCode].meaning}`);
  const schemas = [
    ...(validation ? [{ $ref: '#/components/schemas/ValidationError' }] : []),
    ...(codes.length > 0 ? [{ $ref: '#/components/schemas/Error' }] : []),
  ];
  const examples = Object.fromEntries(
    codes.map((code) => [
      errorWord(code as ErrorCode).replaceAll(/[^A-Za-z0-9._-]+/g, '_'), { value: { detail: errorDetail(code as ErrorCode) } },
    ]),
  );
  return {
    description: [...(validation ? ['The request does not fit: every problem at once.'] : []), ...lines].join('\n\n'),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        ...(codes.length > 0 && { examples }),
      },
    },
  };
}
