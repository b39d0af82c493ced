import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AssistantDeps } from './deps';
import { assertSwitchedOn, findSession } from './find-session';
import { requireModel } from './require-model';
import { createToolbox } from './tools/create-toolbox';

export function postAssistantMessages(deps: AssistantDeps): HttpRoute {
  return implementRoute(configRoutes.postAssistantMessage, {
    authenticate: requireModel(deps),
    handler: async ({ params, principal, body, request, requestId, address, logger, signal, wide }) => {
      const { connector, session, turns } = await findSession(deps, principal, params);
      assertSwitchedOn(principal);
      const { organization } = principal;
      wide.add({ connector_id: connector.id, assistant_session: session.id });
      const { id: connectorId } = connector;
      const caller = { request, requestId, address, logger, organizationId: organization.id };
      const tools = createToolbox(deps, { ...caller, connectorId });
      const { content } = body;
      const isOn = async (): Promise<boolean> => (await deps.store.organizations.get(organization.id))?.assistantOff === false;
      const begun = await turns.begin({ organization, connectorId, sessionId: session.id, content, tools, requestId, isOn });
      if (begun.ok) return { status: 200, events: turns.follow(session.id, begun.after, signal) };
      switch (begun.reason) {
        case 'unknown': throw apiError('Not Found');
        case 'busy': throw apiError('session_busy');
        case 'full': throw apiError('too_many_streams', {}, { 'Retry-After': '5' });
        case 'token_limit': throw apiError('assistant_token_limit_reached', {}, { 'Retry-After': String(begun.retryAfterS) });
      }
    },
  });
}
