import type { HttpRoute } from '@sluice/service-kit';
import { deleteCredential } from './delete-credential';
import type { CredentialDeps } from './deps';
import { getCredential } from './get-credential';
import { getCredentials } from './get-credentials';
import { postCredentials } from './post-credentials';
import { putCredential } from './put-credential';

/** The routes of credentials. */
export const credentialRoutes = (deps: CredentialDeps): HttpRoute[] => [
  deleteCredential(deps),
  getCredential(deps),
  getCredentials(deps),
  postCredentials(deps),
  putCredential(deps),
];
