import { ingestRoutes } from '@sluice/contracts';
import { BlobStoreUnavailable, StoreUnavailable } from '@sluice/ports';
import { apiError, callerNetwork, type HttpRoute, implementRoute, rateLimitError } from '@sluice/service-kit';
import { keyPrincipal } from '../connectors/key-principal';
import { createCallerPlaces } from '../limits/caller-places';
import type { VerifyRows } from '../verify/verify-rows';
import type { GetEventStatusDeps } from './get-event-status';

export interface GetEventVerifyDeps extends GetEventStatusDeps {
  /** null: this process has no keys that open the credentials of the CRM. */
  verifyRows: VerifyRows | null;
}

/** Events of one organization that are verified at once, and its requests that may wait. */
const [perOrganization, maxWaiting] = [2, 16];

export function getEventVerify({ authenticate, budget, readEventProgress, verifyRows }: GetEventVerifyDeps): HttpRoute {
  const places = createCallerPlaces({ perCaller: perOrganization, maxWaiting });
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
      const cost = {
        begin: () => budget.countRead(organization_id),
        spend: (reads: number) => budget.spendReads(organization_id, reads),
      };
      const verified = places.run(organization_id, () => verifyRows(principal, progress.rows, cost));
      if (verified === 'full') throw rateLimitError({ limit: perOrganization, remaining: 0, resetMs: 1_000 });
      const entities = await verified.catch(storesAway);
      return { status: 200, body: { event_id: params.event_id, entities } };
    },
  });
}

function storesAway(error: unknown): never {
  const away = error instanceof StoreUnavailable || error instanceof BlobStoreUnavailable;
  throw away ? apiError('service_unavailable', {}, { 'Retry-After': '5' }) : error;
}
