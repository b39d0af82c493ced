import { ingestRoutes } from '@sluice/contracts';
import { type AskVerify, unitsToVerify } from '@sluice/event-verify';
import { StoreUnavailable } from '@sluice/ports';
import { apiError, callerNetwork, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { keyPrincipal } from '../connectors/key-principal';
import type { GetEventStatusDeps } from './get-event-status';

export interface GetEventVerifyDeps extends GetEventStatusDeps {
  verify: AskVerify;
}

export function getEventVerify({ authenticate, budget, readEventProgress, verify }: GetEventVerifyDeps): HttpRoute {
  return implementRoute(ingestRoutes.verifyEvent, {
    authenticate: (request, { address }) => authenticate(request.headers['x-api-key'], () => callerNetwork(address)),
    handler: async ({ params, principal, request, wide }) => {
      const { organization_id, connector_id } = principal;
      const event_id = params.event_id.slice(0, 64);
      wide.add({ organization_id, connector_id, principal: keyPrincipal(principal, request.headers['x-api-key']), event_id });
      budget.countRead(organization_id);
      const progress = await readEventProgress(principal, params.event_id);
      if (!progress) throw apiError('Not Found');
      const units = unitsToVerify(progress.rows);
      // Each record costs as much as a status read.
      for (const _unit of units) budget.countRead(organization_id);
      const entities = await verify({ organizationId: organization_id, connectorId: connector_id }, units).catch(storeAway);
      return { status: 200, body: { event_id: params.event_id, entities } };
    },
  });
}

function storeAway(error: unknown): never {
  throw error instanceof StoreUnavailable ? apiError('service_unavailable', {}, { 'Retry-After': '5' }) : error;
}
