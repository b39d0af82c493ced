import type { RouteEvent } from '../../../http/route';
import { freeObject, idText, timestamp, uuid } from '../shared';

/** Schema parts of the assistant's routes. */
export const sessionParams = {
  type: 'object', required: ['connector_id', 'session_id'], properties: { connector_id: idText, session_id: idText },
} as const;

export const proposalParams = {
  type: 'object', required: ['connector_id', 'session_id', 'proposal_id'],
  properties: { connector_id: idText, session_id: idText, proposal_id: idText },
} as const;

const sessionStatus = { type: 'string', enum: ['open', 'busy'], description: '`busy`: a turn is under way.' } as const;

export const createdSession = {
  type: 'object', additionalProperties: false, required: ['id', 'status'], properties: { id: uuid, status: sessionStatus },
} as const;

const proposalFields = {
  id: uuid,
  summary: { type: 'string', description: 'The model\'s words.' },
  patch: { ...freeObject, description: 'A merge patch (RFC 7396) of the draft.' },
  base_version: { type: 'integer', description: '`draft_version` against which the patch was checked.' },
  hash: { type: 'string', description: 'Of the patch as it is shown: `apply` takes it to be sure.' },
  changes: {
    type: 'array',
    items: { type: 'string' },
    description: 'What to look at, in our words: new hosts, credentials that are used with a host for the first time, flows, mappings and sources that go.',
  },
} as const;

const proposal = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'status', 'summary', 'patch', 'base_version', 'hash', 'changes'],
  properties: { ...proposalFields, status: { type: 'string', enum: ['open', 'applied'] } },
} as const;

const summaryFields = {
  id: uuid,
  status: sessionStatus,
  created_at: timestamp,
  tool_calls: { type: 'integer', minimum: 0, description: 'Calls of tools so far.' },
} as const;

export const listedSession = {
  type: 'object', additionalProperties: false, required: ['id', 'status', 'created_at', 'tool_calls'], properties: summaryFields,
} as const;

export const session = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'status', 'created_at', 'tool_calls', 'messages', 'proposals'],
  properties: {
    ...summaryFields,
    messages: {
      type: 'array',
      description: 'Oldest first; of a long session the newest 200.',
      items: {
        type: 'object', additionalProperties: false, required: ['role', 'content', 'at'],
        properties: { role: { type: 'string', enum: ['user', 'assistant'] }, content: { type: 'string' }, at: timestamp },
      },
    },
    proposals: { type: 'array', items: proposal, description: 'Oldest first; of a long session the newest 200.' },
  },
} as const;

const event = (description: string, properties: Record<string, object>, optional: string[] = []): RouteEvent => ({
  description,
  schema: {
    type: 'object', additionalProperties: false, properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  },
});

const callId = { type: 'string', description: 'The same in `tool_call` and `tool_result`.' };
const tokens = { type: 'integer', minimum: 0 };

/** What a turn tells. */
export const turnEvents = {
  text: event('Words of the assistant, in pieces. They are plain text from outside: show them as text.', {
    text: { type: 'string' },
  }),
  tool_call: event('The assistant asks for a tool.', { id: callId, name: { type: 'string' }, arguments: freeObject }),
  tool_result: event('The tool has run, or was refused.', {
    id: callId, name: { type: 'string' }, ok: { type: 'boolean' },
    error: { type: 'string', description: 'A code, where `ok` is false.' },
  }, ['error']),
  proposal: event('A patch of the draft that passes its checks. Nothing is changed until it is applied.', proposalFields),
  done: event('The end of the turn: once, and last.', {
    reason: { type: 'string', enum: ['end', 'tool_limit', 'token_limit', 'model_error', 'timeout'] },
    usage: {
      type: 'object', additionalProperties: false, required: ['input_tokens', 'output_tokens'],
      properties: { input_tokens: tokens, output_tokens: tokens },
    },
  }),
} as const;
