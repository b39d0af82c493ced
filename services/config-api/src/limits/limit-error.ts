import { apiError, type HttpError } from '@sluice/service-kit';
import type { OrganizationRow } from '@sluice/ports';

export type LimitCode =
  | 'seat_limit_reached' | 'connector_limit_reached' | 'event_source_limit_reached' | 'portal_limit_reached' | 'custom_objects_not_allowed'
  | 'custom_object_type_limit_reached' | 'plugin_system_not_allowed'
  | 'sla_monitoring_not_available'
  | 'agent_session_daily_limit_reached' | 'flow_limit_reached' | 'step_limit_reached' | 'api_key_limit_reached';

const messages: Record<LimitCode, string> = {
  seat_limit_reached: 'The plan allows no more members; open invitations count.',
  connector_limit_reached: 'The plan allows no more connectors.',
  event_source_limit_reached: 'The plan allows no more event sources.',
  portal_limit_reached: 'The plan allows no more CRM portals.',
  custom_objects_not_allowed: 'The plan has no custom object types.',
  custom_object_type_limit_reached: 'The plan allows no more custom object types per connector.',
  agent_session_daily_limit_reached: 'The plan allows no more new sessions of the assistant today (UTC); open sessions go on.',
  flow_limit_reached: 'The plan allows no more flows in a config.',
  step_limit_reached: 'The plan allows no more steps in a config.',
  api_key_limit_reached: 'The plan allows no more keys: revoke one that is not used.',
  sla_monitoring_not_available: 'The plan has no SLA reporting.',
  plugin_system_not_allowed: 'The plan has no plugins and no test connectors.',
};

/** A 402 with the fields of a plan limit (docs/reference/errors.md, Statuses). */
export function limitError(
  code: LimitCode,
  organization: OrganizationRow,
  upgradeUrl: string,
  more: { limit?: number | null; usage?: number; custom_object_types?: string[] } = {},
): HttpError {
  return apiError(code, { tier: organization.tier, message: messages[code], upgrade_url: upgradeUrl, ...more });
}
