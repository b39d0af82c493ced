import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AssistantDeps } from './deps';
import { openAssistant } from './find-session';
import { requireModel } from './require-model';
import { listedSessionView } from './session-view';

export function getAssistantSessions(deps: AssistantDeps): HttpRoute {
  return implementRoute(configRoutes.listAssistantSessions, {
    authenticate: requireModel(deps),
    handler: async ({ params, principal, query }) => {
      const { connector } = await openAssistant(deps, principal, params.connector_id);
      const { items, total } = await deps.assistant.list(connector.id, query);
      return { status: 200, body: { items: items.map(listedSessionView), total } };
    },
  });
}
