import type { PortalRoute } from '../http/route';

/** A route of the files API: they all have one scope and one budget. */
export const fileRoute = (method: string, path: string, handle: PortalRoute['handle']): PortalRoute =>
  ({ method, path: `/files${path}`, auth: 'portal', budget: 'burst', scopes: () => [['files']], handle });
