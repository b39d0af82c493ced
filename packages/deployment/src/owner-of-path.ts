import type { DeployedService } from './deployed-service';
import { homeService, services, type ServiceName } from './services';

const routed = services
  .flatMap(({ name, publicPaths }: DeployedService) => publicPaths.map((prefix) => ({ name: name as ServiceName, prefix })))
  // The longest prefix decides.
  .sort((a, b) => b.prefix.length - a.prefix.length);

/**
 * The service that answers a request target (docs/reference/single-process.md): a prefix ends at a slash, at the query or at the
 * end. Capital letters count as small ones, as in the routers of the services.
 */
export function ownerOfPath(target: string): ServiceName {
  return routed.find(({ prefix }) => isBelow(target, prefix))?.name ?? homeService;
}

function isBelow(target: string, prefix: string): boolean {
  if (target.length < prefix.length || target.slice(0, prefix.length).toLowerCase() !== prefix) return false;
  const next = target[prefix.length];
  return next === undefined || next === '/' || next === '?';
}
