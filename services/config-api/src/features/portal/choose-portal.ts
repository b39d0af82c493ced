import type { ConfigStore, ConnectorRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/**
 * The CRM credential that a read acts on: the candidate of `credential_id`, else the one the connector is bound to. Throws 404
 * for a credential that is not the organization's, 422 for one that is not of the CRM and where there is no portal.
 */
export async function chooseCredential(
  store: Pick<ConfigStore, 'credentials'>,
  { organization }: Principal,
  { binding }: ConnectorRow,
  candidateId: string | undefined,
): Promise<string> {
  if (candidateId === undefined) {
    if (binding) return binding.credentialId;
    throw apiError('crm_portal_not_bound', { message: 'Connect a portal, or bind the connector to one with credential_id.' });
  }
  const candidate = await store.credentials.get(organization.id, candidateId);
  if (!candidate) throw apiError('Credential not found');
  if (candidate.credentialType !== 'crm_oauth') throw apiError('credential_not_crm_oauth');
  return candidate.id;
}
