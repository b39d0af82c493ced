import { associationBatchRoutes } from './associations/association-batch-routes';
import { associationRoutes } from './associations/association-routes';
import type { Route } from './http/route';
import { oauthRoutes } from './oauth/oauth-routes';
import { batchRoutes } from './objects/batch-routes';
import { objectRoutes } from './objects/object-routes';
import { searchRoutes } from './search/search-route';

/** Every route of the CRM's API. A new area of the API is one more list here. */
export const allRoutes: readonly Route[] = [...objectRoutes, ...batchRoutes, ...searchRoutes, ...associationRoutes, ...associationBatchRoutes, ...oauthRoutes];
