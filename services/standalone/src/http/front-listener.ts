import type { RequestListener } from 'node:http';
import { type Health, healthHandler, type Metrics } from '@sluice/service-kit';
import { ownerOfPath, type PathOwner } from './owner-of-path';

export interface FrontOptions {
  services: Record<PathOwner, RequestListener>;
  /** Of all services together. */
  health: Health;
  metrics: Metrics;
}

const ownPaths = /^\/(livez|readyz|metrics)(\?|$)/;

/** The one public listener: `/livez`, `/readyz` and `/metrics` for all services, the rest to the service that owns the path. */
export function frontListener({ services, health, metrics }: FrontOptions): RequestListener {
  const serveHealth = healthHandler({ health, metrics });
  return (request, response) => {
    const target = request.url ?? '/';
    const pass = (): void => services[ownerOfPath(target)](request, response);
    if (!ownPaths.test(target)) return pass();
    serveHealth(request, response).then(
      (served) => (served ? undefined : pass()),
      () => response.destroy(),
    );
  };
}
