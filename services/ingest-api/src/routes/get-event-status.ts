import { ingestRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AuthenticateKey } from '../connectors/authenticate-key';
import type { ReadStanding } from '../status/read-standing';
import { statusAnswer } from '../status/status-answer';

export function getEventStatus({ authenticate, readStanding }: { authenticate: AuthenticateKey; readStanding: ReadStanding }): HttpRoute {
  return implementRoute(ingestRoutes.getEventStatus, {
    authenticate: (request) => authenticate(request.headers['x-api-key']),
    handler: async ({ params, principal, wide }) => {
      wide.add({ connector_id: principal.connector_id, event_id: params.event_id.slice(0, 64) });
      const standing = await readStanding(principal, params.event_id);
      if (!standing) throw apiError('Not Found');
      return { status: 200, body: statusAnswer(params.event_id, standing) };
    },
  });
}
