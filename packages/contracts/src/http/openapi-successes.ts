import { byTitle } from './openapi-examples';
import { bytesSchema } from './openapi-request-body';
import type { JsonSchema, RouteAnswer, RouteContract, RouteEvent } from './route';

/** The answers of success of a route, by status. */
export function openApiSuccesses(route: RouteContract): Record<string, unknown> {
  return Object.fromEntries(Object.entries(route.answers).flatMap(([status, answer]) => answersOf(route, status, answer)));
}

function answersOf(route: RouteContract, status: string, answer: RouteAnswer): [string, unknown][] {
  const { description, schema, contentType = 'application/json', stream, events = {} } = answer;
  if (stream === 'file') return fileAnswers(status, description, contentType);
  if (stream === 'events') return [[status, { description, content: { 'text/event-stream': eventContent(events) } }]];
  const examples = (route.examples ?? []).filter(
    ({ answer: shown, status: own }) => shown !== undefined && (own === undefined || String(own) === status),
  );
  const shown = examples.length > 0 && { examples: byTitle(examples.map((one) => ({ title: one.title, value: one.answer }))) };
  return [[status, { description, ...(schema !== undefined && { content: { [contentType]: { schema, ...shown } } }) }]];
}

const textHeader = (description: string): object => ({ description, schema: { type: 'string' } });

function fileAnswers(status: string, description: string, contentType: string): [string, unknown][] {
  const content = { [contentType]: { schema: bytesSchema(contentType) } };
  const headers = {
    'Content-Disposition': textHeader('`attachment` with the name of the file.'),
    'Accept-Ranges': textHeader('`bytes`.'),
    ETag: textHeader('Names the content of the file.'),
  };
  const part = { ...headers, 'Content-Range': textHeader('`bytes <first>-<last>/<size of the file>`.') };
  return [
    [status, { description, headers, content }],
    ['206', { description: 'The range of the file that `Range` asks for.', headers: part, content }],
  ];
}

/** OpenAPI has no words for events: their schemas are an extension, and a text names them. */
function eventContent(events: Readonly<Record<string, RouteEvent>>): Record<string, unknown> {
  const lines = Object.entries(events).map(([name, { description }]) => `\`${name}\`: ${description}`);
  const about = 'Server-sent events whose data is JSON. A comment comes where there was no event for a while.';
  return {
    schema: { type: 'string', description: [about, ...lines].join('\n\n') },
    'x-events': Object.fromEntries(Object.entries(events).map(([name, { schema }]) => [name, schema])),
  };
}

const fileHeaders = {
  Range: { type: 'string', description: 'One range: `bytes=0-1023`, `bytes=1024-`, `bytes=-512`. Several are refused.' },
  'If-Range': { type: 'string', description: 'An `ETag`: the range counts only for this content, another one is sent whole.' },
};
const eventHeaders = {
  'Last-Event-ID': { type: 'string', description: 'The id of the last event that the caller saw: those after it follow.' },
};

/** The request headers that a streamed answer understands, as an object schema. */
export function streamParameters({ answers }: RouteContract): JsonSchema | undefined {
  const kinds = Object.values(answers).map(({ stream }) => stream);
  if (kinds.every((kind) => kind === undefined)) return undefined;
  return {
    type: 'object',
    properties: { ...(kinds.includes('file') && fileHeaders), ...(kinds.includes('events') && eventHeaders) },
  };
}
