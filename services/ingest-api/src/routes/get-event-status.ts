import { ingestRoutes } from '@sluice/contracts';
import { apiError, callerNetwork, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AuthenticateKey } from '../connectors/authenticate-key';
import { keyPrincipal } from '../connectors/key-principal';
import type { WorkBudget } from '../limits/work-budget';
import type { ReadEventProgress } from '../status/read-event-progress';
import { statusAnswer } from '../status/status-answer';

export interface GetEventStatusDeps {
  authenticate: AuthenticateKey;
  budget: Pick<WorkBudget, 'countRead'>;
  readEventProgress: ReadEventProgress;
}

export function getEventStatus({ authenticate, budget, readEventProgress }: GetEventStatusDeps): HttpRoute {
  return implementRoute(ingestRoutes.getEventStatus, {
    authenticate: (request, { address }) => authenticate(request.headers['x-api-key'], () => callerNetwork(address)),
    handler: async ({ params, principal, request, wide }) => {
      const { organization_id, connector_id } = principal;
      wide.add({
        organization_id,
        connector_id,
        principal: keyPrincipal(principal, request.headers['x-api-key']),
        event_id: params.event_id.slice(0, 64),
      });
      budget.countRead(organization_id);
      const progress = await readEventProgress(principal, params.event_id);
      if (!progress) throw apiError('Not Found');
      return { status: 200, body: statusAnswer(params.event_id, progress) };
    },
  });
}
