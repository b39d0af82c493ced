import { planLimits } from '@sluice/contracts';
import type { CredentialAnswer, OrganizationRow } from '@sluice/ports';
import { apiError, type HttpError } from '@sluice/service-kit';
import { limitError } from '../../limits/limit-error';

/** The error answer when the store refuses a credential. */
export function credentialRefusal(
  refusal: Extract<CredentialAnswer, { ok: false }>,
  organization: OrganizationRow,
  upgradeUrl: string,
): HttpError {
  switch (refusal.reason) {
    case 'not_found':
      return apiError('Credential not found');
    case 'name_taken':
      return apiError('credential_name_taken');
    case 'portal_changed':
      return apiError('credential_portal_mismatch');
    case 'limit_reached':
      return limitError('portal_limit_reached', organization, upgradeUrl, {
        limit: planLimits(organization).portals_limit,
        usage: refusal.usage,
      });
  }
}
