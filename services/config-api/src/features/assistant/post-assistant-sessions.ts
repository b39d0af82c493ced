import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';
import { assistantLimits } from './assistant-limits';
import type { AssistantDeps } from './deps';
import { assertSwitchedOn, openAssistant } from './find-session';
import { requireModel } from './require-model';

export function postAssistantSessions(deps: AssistantDeps): HttpRoute {
  return implementRoute(configRoutes.createAssistantSession, {
    authenticate: requireModel(deps),
    handler: async ({ params, principal, wide }) => {
      const { connector } = await openAssistant(deps, principal, params.connector_id);
      assertSwitchedOn(principal);
      const { organization } = principal;
      const { sessionsPerDay: perDay } = assistantLimits(organization);
      const userEmail = principal.kind === 'user' ? principal.email : null;
      const asked = { organizationId: organization.id, connectorId: connector.id, userEmail, perDay };
      const created = await deps.assistant.create(asked);
      if (!created.ok) {
        const reached = { limit: perDay, usage: created.usage };
        throw limitError('agent_session_daily_limit_reached', organization, upgradeUrl(deps), reached);
      }
      const { id, status } = created.session;
      wide.add({ connector_id: connector.id, assistant_session: id });
      return { status: 201, body: { id, status } };
    },
  });
}
