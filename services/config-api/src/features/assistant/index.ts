import type { HttpRoute } from '@sluice/service-kit';
import type { AssistantDeps } from './deps';
import { getAssistantSession } from './get-assistant-session';
import { getAssistantSessionEvents } from './get-assistant-session-events';
import { getAssistantSessions } from './get-assistant-sessions';
import { postAssistantMessages } from './post-assistant-messages';
import { postAssistantSessions } from './post-assistant-sessions';
import { postProposalApply } from './post-proposal-apply';

/** The routes of the assistant. */
export const assistantRoutes = (deps: AssistantDeps): HttpRoute[] => [
  postAssistantSessions(deps),
  getAssistantSessions(deps),
  getAssistantSession(deps),
  postAssistantMessages(deps),
  getAssistantSessionEvents(deps),
  postProposalApply(deps),
];
