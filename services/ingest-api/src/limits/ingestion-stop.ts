import type { ConnectorChange } from '@sluice/contracts';
import { apiError, type HttpError } from '@sluice/service-kit';

/** Why a connector takes no events now, as the answer 423 says it (interface, Errors); null when it does. */
export function ingestionStop({ organization, status }: ConnectorChange): HttpError | null {
  if (organization.state === 'suspended') return apiError('org_suspended');
  if (organization.state !== 'active') return apiError('org_closing');
  return status === 'active' ? null : apiError('Connector is paused, ingestion is blocked');
}
