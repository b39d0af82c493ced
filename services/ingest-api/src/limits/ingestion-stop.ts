import type { ConnectorChange } from '@sluice/contracts';
import { apiError, type HttpError } from '@sluice/service-kit';

/** The 423 of a connector that takes no events now (docs/reference/events.md, Order of checks); null when it takes them. */
export function ingestionStop({ organization, status }: ConnectorChange): HttpError | null {
  if (organization.state === 'suspended') return apiError('org_suspended');
  if (organization.state !== 'active') return apiError('org_closing');
  return status === 'active' ? null : apiError('Connector is paused, ingestion is blocked');
}
