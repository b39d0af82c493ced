import { stoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import { apiError, type HttpError } from '@sluice/service-kit';

/** The 423 of a connector that takes no events now (docs/reference/events.md, Order of checks); null when it takes them. */
export function ingestionStop(connector: ConnectorChange): HttpError | null {
  const reason = stoppedReason(connector);
  if (reason === null) return null;
  if (reason === 'paused') return apiError('Connector is paused, ingestion is blocked');
  return apiError(connector.organization.state === 'suspended' ? 'org_suspended' : 'org_closing');
}
