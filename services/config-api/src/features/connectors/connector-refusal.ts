import { planLimits } from '@sluice/contracts';
import type { ConnectorRefusal, OrganizationRow } from '@sluice/ports';
import { apiError, type HttpError } from '@sluice/service-kit';
import { limitError } from '../../limits/limit-error';

/** The error answer when the store refuses to create or change a connector. */
export function connectorRefusal(refusal: ConnectorRefusal, organization: OrganizationRow, upgradeUrl: string): HttpError {
  switch (refusal.reason) {
    case 'not_found':
      return apiError('connector_not_found');
    case 'bad_credential':
      return apiError('invalid_credential', { message: 'credential_id must name a CRM credential of this organization.' });
    case 'limit_reached':
      return limitError('connector_limit_reached', organization, upgradeUrl, {
        limit: planLimits(organization).connectors_limit,
        usage: refusal.usage,
      });
    case 'rebind_confirmation_required':
      return apiError('rebind_confirmation_required', {
        old_portal_id: refusal.oldPortalId, new_portal_id: refusal.newPortalId, identity_mapping_count: refusal.mappings,
      });
    case 'write_cap_release_required':
    case 'write_cap_resume_in_progress':
      return apiError(refusal.reason);
  }
}
