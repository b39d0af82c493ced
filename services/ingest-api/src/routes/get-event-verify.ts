import { ingestRoutes } from '@sluice/contracts';
import type { VerifyRows } from '@sluice/event-verify';
import { BlobStoreUnavailable, StoreUnavailable } from '@sluice/ports';
import { apiError, callerNetwork, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { keyPrincipal } from '../connectors/key-principal';
import type { GetEventStatusDeps } from './get-event-status';

export interface GetEventVerifyDeps extends GetEventStatusDeps {
  /** null: this process has no keys that open the credentials of the CRM. */
  verifyRows: VerifyRows | null;
}

export function getEventVerify({ authenticate, budget, readEventProgress, verifyRows }: GetEventVerifyDeps): HttpRoute {
  return implementRoute(ingestRoutes.verifyEvent, {
    authenticate: (request, { address }) => authenticate(request.headers['x-api-key'], () => callerNetwork(address)),
    handler: async ({ params, principal, request, wide }) => {
      const { organization_id, connector_id } = principal;
      const event_id = params.event_id.slice(0, 64);
      wide.add({ organization_id, connector_id, principal: keyPrincipal(principal, request.headers['x-api-key']), event_id });
      budget.countRead(organization_id);
      const progress = await readEventProgress(principal, params.event_id);
      if (!progress) throw apiError('Not Found');
      if (!verifyRows) throw apiError('service_unavailable');
      const count = (): void => budget.countRead(organization_id);
      const entities = await verifyRows(principal, progress.rows, count).catch(storesAway);
      return { status: 200, body: { event_id: params.event_id, entities } };
    },
  });
}

function storesAway(error: unknown): never {
  const away = error instanceof StoreUnavailable || error instanceof BlobStoreUnavailable;
  throw away ? apiError('service_unavailable', {}, { 'Retry-After': '5' }) : error;
}
