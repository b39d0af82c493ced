import { accountRoutes } from './account/account-routes';
import { associationBatchRoutes } from './associations/association-batch-routes';
import { associationRoutes } from './associations/association-routes';
import { labelRoutes } from './associations/label-routes';
import { legacyAssociationRoutes } from './associations/legacy-routes';
import { limitRoutes } from './associations/limit-routes';
import { groupRoutes } from './definitions/group-routes';
import { propertyLimitRoutes } from './definitions/property-limit-routes';
import { propertyRoutes } from './definitions/property-routes';
import { downloadRoutes } from './files/file-links';
import { fileRoutes } from './files/file-routes';
import { folderRoutes } from './files/folder-routes';
import { formRoutes } from './forms/form-routes';
import { submitRoutes } from './forms/submit-routes';
import type { Route } from './http/route';
import { journalRoutes } from './journal/journal-routes';
import { snapshotRoutes } from './journal/snapshot-routes';
import { subscriptionRoutes } from './journal/subscription-routes';
import { authorizePage } from './oauth/authorize-page';
import { oauthRoutes } from './oauth/oauth-routes';
import { batchRoutes } from './objects/batch-routes';
import { objectRoutes } from './objects/object-routes';
import { pipelineRoutes } from './pipelines/pipeline-routes';
import { schemaRoutes } from './schemas/schema-routes';
import { searchRoutes } from './search/search-route';

/**
 * Every route of the CRM's API. A new area is a folder with its own list, one line here, and, for a new published
 * prefix, one line in http/path-aliases.
 */
export const allRoutes: readonly Route[] = [
  ...objectRoutes, ...batchRoutes, ...searchRoutes,
  ...associationRoutes, ...associationBatchRoutes, ...labelRoutes, ...limitRoutes, ...legacyAssociationRoutes,
  ...groupRoutes, ...propertyRoutes, ...propertyLimitRoutes, ...schemaRoutes, ...pipelineRoutes,
  ...accountRoutes, authorizePage, ...oauthRoutes, ...journalRoutes, ...snapshotRoutes, ...subscriptionRoutes,
  ...fileRoutes, ...folderRoutes, ...downloadRoutes, ...formRoutes, ...submitRoutes,
];
