import type { HttpRoute } from '@sluice/service-kit';
import { deleteIdentityMapping } from './delete-identity-mapping';
import type { IdentityDeps } from './deps';
import { getIdentityMappingCount } from './get-identity-mapping-count';
import { postIdentityAdopt } from './post-identity-adopt';
import { postIdentityMappings } from './post-identity-mappings';

/** The routes of identities. */
export const identityRoutes = (deps: IdentityDeps): HttpRoute[] => [
  deleteIdentityMapping(deps),
  getIdentityMappingCount(deps),
  postIdentityAdopt(deps),
  postIdentityMappings(deps),
];
