import { uuidSchema } from '../../common-schemas';
import { defineRoute } from '../../http/route';

const connectorId = { connector_id: uuidSchema } as const;
const callId = { type: 'string', maxLength: 64, description: 'Id of a call, as its 200 has it.' } as const;

const error = {
  type: 'object',
  additionalProperties: false,
  required: ['result', 'message'],
  properties: { result: { type: 'string', enum: ['error', 'service_unavailable'] }, message: { type: 'string' }, callId },
} as const;

const failed = (description: string) => ({ description, schema: error });

const shared = { method: 'post', tag: 'Legacy-compatible ingress', auth: 'compat_key', errors: [] } as const;

/** Answers of every path, in the shape of the service that is replaced. */
const failures = {
  401: failed('`Invalid <auth_header>`: the key is unknown or revoked.'),
  404: failed('`Not found`: no published profile, or no such path. `callId not found`. Not while the fallback is on.'),
  405: failed('`Method Not Allowed`.'),
  429: failed('Too many failed authentications, `Rate limit exceeded for org` or `Monthly event quota exceeded`, with `Retry-After`.'),
  502: failed('The fallback is on and does not answer.'),
  503: failed('`service_unavailable`: with a `callId` the call is stored, and a resend queues what is missing of it.'),
} as const;

const ok = {
  type: 'object',
  additionalProperties: false,
  required: ['result', 'callId'],
  properties: { result: { type: 'string', const: 'ok' }, callId },
} as const;

export const compatIngest = defineRoute({
  ...shared,
  name: 'compat_ingest',
  path: '/api/v1/compat/:connector_id/*path',
  summary: 'Send a call to a path of the published ingress profile',
  description: [
    'Paths have no regard to case and repeated slashes. The key comes in the header that the profile names. Errors are',
    '`{result: "error", message}`. Each item of `entities` becomes a record of one event, or the whole body does, as the route says.',
  ].join(' '),
  params: {
    type: 'object',
    additionalProperties: false,
    required: ['connector_id', 'path'],
    properties: { ...connectorId, path: { type: 'string', description: 'A path of the profile.' } },
  } as const,
  bodyLimit: 5 * 1024 * 1024,
  body: {
    type: 'object',
    additionalProperties: true,
    properties: {
      version: {},
      source: {},
      event: {},
      timestamp: { description: 'ISO 8601, or seconds or milliseconds since the epoch.' },
      entities: { description: 'List of objects, as many as the profile allows.' },
    },
  } as const,
  answers: {
    200: { description: 'Stored and queued.', schema: ok },
    201: {
      description: '`entities` is empty or absent: the `callId` is `No entities to process`, which is none that can be checked.',
      schema: ok,
    },
  },
  failures: {
    ...failures,
    400: failed('The body is no JSON object, `entities` no list of objects, or the event none that the route takes.'),
    413: failed('The body is over 5 MiB.'),
    423: failed('The connector is paused, or the organization is not active.'),
    500: failed('`A maximum of <n> messages can be sent`.'),
  },
  examples: [{ title: 'Two orders', body: { event: 'order', entities: [{ externalObjectId: '1' }, { externalObjectId: '2' }] } }],
});

export const compatCheck = defineRoute({
  ...shared,
  name: 'compat_check',
  path: '/api/v1/compat/:connector_id/api/check/:call_id',
  summary: 'What has become of a call',
  params: {
    type: 'object', additionalProperties: false, required: ['connector_id', 'call_id'], properties: {
      ...connectorId, call_id: callId,
    },
  } as const,
  answers: {
    200: {
      description: 'The call and the state of its records.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['result', 'callId', 'createdAt', 'updatedAt', 'callRequest', 'callStatus', 'callError'],
        properties: {
          ...ok.properties,
          createdAt: { type: 'string', description: 'ISO 8601 UTC with milliseconds.' },
          updatedAt: { type: 'string', description: 'When it was sent again, or a record of it last ended.' },
          callRequest: { type: 'object', description: 'The body as it came.' },
          callStatus: { type: 'string', enum: ['InQueue', 'InProgress', 'Error', 'Complete'] },
          callError: {
            type: 'array',
            maxItems: 500,
            items: {
              type: 'object',
              additionalProperties: false,
              properties: { error: { type: 'string' }, externalObjectId: { type: 'string' } },
            },
            description: '`[{}]` when there is none.',
          },
        },
      },
    },
  },
  failures: { ...failures, 410: failed('`callId expired`.') },
});

export const compatResend = defineRoute({
  ...shared,
  name: 'compat_resend',
  path: '/api/v1/compat/:connector_id/api/resend/:action/:call_id',
  summary: 'Run the records of a call again',
  params: {
    type: 'object',
    additionalProperties: false,
    required: ['connector_id', 'action', 'call_id'],
    properties: {
      ...connectorId, action: { type: 'string', description: 'Name of a resend action of the profile.' }, call_id: callId,
    },
  } as const,
  answers: { 200: { description: 'Queued again; `updatedAt` of the call moves.', schema: ok } },
  failures: {
    ...failures,
    400: failed('The action is none of the profile, or does not name the event type of the call.'),
    410: failed('`callId expired`.'),
    423: failed('The connector is paused, or the organization is not active.'),
  },
});
