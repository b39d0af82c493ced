import type { CredentialRow } from '@sluice/ports';
import { iso } from '../../http/iso';

export const credentialView = (credential: CredentialRow) => ({
  id: credential.id,
  name: credential.name,
  credential_type: credential.credentialType,
  portal_id: credential.portalId,
  scopes: credential.scopes,
  allowed_hosts: credential.allowedHosts,
  created_at: iso(credential.createdAt),
  updated_at: iso(credential.updatedAt),
});
