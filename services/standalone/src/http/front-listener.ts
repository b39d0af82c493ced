import type { RequestListener } from 'node:http';
import { ownerOfPath, type ServiceName } from '@sluice/deployment';
import { notFoundApp } from '@sluice/service-kit';

/** The one public listener: every request goes to the service that owns its path. */
export function frontListener(services: ReadonlyMap<ServiceName, RequestListener>): RequestListener {
  return (request, response) => (services.get(ownerOfPath(request.url ?? '/')) ?? notFoundApp)(request, response);
}
