import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AssistantDeps } from './deps';
import { findSession } from './find-session';
import { requireModel } from './require-model';
import { sessionView } from './session-view';

export function getAssistantSession(deps: AssistantDeps): HttpRoute {
  return implementRoute(configRoutes.getAssistantSession, {
    authenticate: requireModel(deps),
    handler: async ({ params, principal }) => {
      const { session } = await findSession(deps, principal, params);
      return { status: 200, body: sessionView(session, await deps.assistant.contents(session.id)) };
    },
  });
}
