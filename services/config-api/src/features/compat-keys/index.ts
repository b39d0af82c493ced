import type { HttpRoute } from '@sluice/service-kit';
import { deleteCompatKey } from './delete-compat-key';
import type { CompatKeyDeps } from './deps';
import { getCompatKeys } from './get-compat-keys';
import { postCompatKeys } from './post-compat-keys';

/** The routes of the keys of the legacy-compatible ingress. */
export const compatKeyRoutes = (deps: CompatKeyDeps): HttpRoute[] => [
  deleteCompatKey(deps),
  getCompatKeys(deps),
  postCompatKeys(deps),
];
