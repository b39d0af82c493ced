import type { ConnectorChange } from '@sluice/contracts';
import { apiError, type HttpError, rateLimitError } from '@sluice/service-kit';
import type { BreakerOpen, IntakeRefusal } from './intake-refusal';

/** What an error answer names beside the refusal. */
export interface Refused {
  connector: ConnectorChange;
  /** For an unknown outcome: the id under which the sender must send again. */
  eventId?: string;
  /** Where a plan is changed. */
  upgradeUrl: string;
  /** Where flow breakers are explained. */
  docsUrl: string;
}

/** When the first of the flows may go on. */
export const retryAfterSeconds = ({ flows }: BreakerOpen): number =>
  Math.max(1, Math.ceil(Math.min(...flows.map(({ retryAfterMs }) => retryAfterMs)) / 1_000));

/** The answer to a refusal (docs/reference/events.md, Order of checks). */
export function intakeError(refusal: IntakeRefusal, { connector, docsUrl, eventId, upgradeUrl }: Refused): HttpError {
  switch (refusal.why) {
    case 'stopped':
      if (refusal.reason !== 'organization_stopped') return apiError('Connector is paused, ingestion is blocked');
      return apiError(connector.organization.state === 'suspended' ? 'org_suspended' : 'org_closing');
    case 'rate':
      return rateLimitError(refusal);
    case 'quota':
      return apiError('quota_exceeded', {
        events_used_this_period: refusal.used,
        tier: connector.organization.tier,
        upgrade_url: upgradeUrl,
        period_resets_at: refusal.resetsAt,
      });
    case 'breaker':
      return apiError('connector_flow_breaker_open', {
        connector_id: connector.connector_id,
        flows: refusal.flows.map(({ name, reason, detail, retryAfterMs }) =>
          ({ name, reason, detail, retry_after_seconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) })),
        docs: docsUrl,
      }, { 'Retry-After': String(retryAfterSeconds(refusal)) });
    case 'blobs_unavailable':
      return apiError('attachment_store_unavailable');
    case 'unavailable':
      return apiError('event_ingestion_unavailable');
    case 'unknown':
      return apiError('event_ingestion_outcome_unknown', eventId === undefined ? {} : { event_id: eventId });
  }
}
