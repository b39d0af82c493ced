import { defineRoute } from '../../../http/route';
import {
  createdSession, listedSession, proposalParams, session, sessionParams, turnEvents,
} from './assistant-schema';
import { draftAnswer, draftErrors } from './draft-parts';
import { bodyLimits, connectorParams, pageOf, pageQuery } from '../shared';

const tag = 'Assistant';
/** Characters of a message. In JSON each may take twelve bytes: a surrogate pair, escaped. */
const contentLength = 32_000;
const path = '/api/connectors/:connector_id/assistant/sessions';

export const createAssistantSession = defineRoute({
  name: 'create_assistant_session',
  method: 'post',
  path,
  tag,
  auth: 'config',
  audit: null,
  summary: 'Open a conversation with the assistant about a connector',
  description: 'On the trial an organization may open 10 a UTC day (402).',
  params: connectorParams,
  body: { type: 'object', additionalProperties: false } as const,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  answers: { 201: { description: 'The session.', schema: createdSession } },
  errors: ['connector_not_found', 'assistant_unavailable', 'assistant_switched_off', 'agent_session_daily_limit_reached'],
});

export const listAssistantSessions = defineRoute({
  name: 'list_assistant_sessions',
  method: 'get',
  path,
  tag,
  auth: 'config',
  summary: 'The conversations about a connector, newest first',
  params: connectorParams,
  query: pageQuery,
  answers: { 200: { description: 'A page of them, without their messages.', schema: pageOf(listedSession) } },
  errors: ['connector_not_found', 'assistant_unavailable'],
});

export const getAssistantSession = defineRoute({
  name: 'get_assistant_session',
  method: 'get',
  path: `${path}/:session_id`,
  tag,
  auth: 'config',
  summary: 'One conversation, with its messages and proposals',
  params: sessionParams,
  answers: { 200: { description: 'The session.', schema: session } },
  errors: ['connector_not_found', 'assistant_unavailable', 'Not Found'],
});

export const postAssistantMessage = defineRoute({
  name: 'post_assistant_message',
  method: 'post',
  path: `${path}/:session_id/messages`,
  tag,
  auth: 'config',
  audit: null,
  summary: 'Say something to the assistant, and follow what it does',
  description: [
    'The turn goes on when the caller leaves: `GET .../events` with `Last-Event-ID` gives the rest. One turn at a time',
    '(409 `session_busy`). Tools work with the rights of the caller of this request.',
  ].join(' '),
  params: sessionParams,
  body: {
    type: 'object',
    required: ['content'],
    additionalProperties: false,
    properties: { content: { type: 'string', minLength: 1, maxLength: contentLength } },
  } as const,
  bodyLimit: 12 * contentLength + bodyLimits.small,
  answers: { 200: { description: 'The turn.', stream: 'events', events: turnEvents } },
  errors: [
    'connector_not_found', 'assistant_unavailable', 'Not Found', 'assistant_switched_off', 'session_busy',
    'assistant_token_limit_reached', 'too_many_streams',
  ],
  examples: [{ title: 'Ask for a config', body: { content: 'Sync orders to deals and link them to their customers.' } }],
});

export const followAssistantSession = defineRoute({
  name: 'follow_assistant_session',
  method: 'get',
  path: `${path}/:session_id/events`,
  tag,
  auth: 'config',
  summary: 'The events of the newest turn, or what came after `Last-Event-ID`, until the turn ends',
  params: sessionParams,
  answers: { 200: { description: 'The turn.', stream: 'events', events: turnEvents } },
  errors: ['connector_not_found', 'assistant_unavailable', 'Not Found', 'too_many_streams'],
});

export const applyAssistantProposal = defineRoute({
  name: 'apply_assistant_proposal',
  method: 'post',
  path: `${path}/:session_id/proposals/:proposal_id/apply`,
  tag,
  auth: 'config',
  audit: { action: 'assistant.proposal.apply', target: 'connector', param: 'connector_id' },
  summary: 'Write a proposal of the assistant into the draft; nothing is published',
  description: 'Nobody but a caller of this route changes the draft: the assistant cannot.',
  params: proposalParams,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      hash: { type: 'string', maxLength: 128, description: '`hash` of the proposal that was shown: 409 for another one.' },
    },
  } as const,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  answers: draftAnswer,
  errors: [
    ...draftErrors, 'assistant_unavailable', 'Not Found', 'draft_version_conflict',
    'proposal_already_applied', 'proposal_changed',
  ],
});
