import { CredentialRefreshBusy, StoreUnavailable } from '@sluice/ports';
import { apiError, type HttpRoute } from '@sluice/service-kit';
import { refreshBusy } from './portal-trouble';

/** The same route, answering 503 while the database cannot be reached, or a credential is being refreshed. */
export function mapStoreOutage(route: HttpRoute): HttpRoute {
  const { authenticate, handler } = route;
  return {
    ...route,
    handler: (input) => retold(async () => handler(input)),
    ...(authenticate && { authenticate: (request, context) => retold(async () => authenticate(request, context)) }),
  };
}

async function retold<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CredentialRefreshBusy) throw refreshBusy();
    throw error instanceof StoreUnavailable ? apiError('service_unavailable', {}, { 'Retry-After': '5' }) : error;
  }
}
