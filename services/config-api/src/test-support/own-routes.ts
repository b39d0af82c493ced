import { ingestRoutes, type RouteContract } from '@sluice/contracts';
import { publicRoutes } from '../docs/mount-docs';

/** The documented routes that this service answers: all but those of the event plane. */
export function ownRoutes(): RouteContract[] {
  const eventPlane = new Set<unknown>(Object.values(ingestRoutes));
  return publicRoutes().filter((route) => !eventPlane.has(route));
}
