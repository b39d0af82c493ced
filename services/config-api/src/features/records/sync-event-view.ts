import type { ListedRecord } from '@sluice/ports';

/** A record row as the API shows it. */
export const syncEventView = (row: ListedRecord) => ({
  id: row.id,
  event_id: row.unit.eventId,
  flow_name: row.flowName,
  source_name: row.sourceName,
  event_type: row.eventType,
  entity_name: row.entityName,
  external_id: row.externalId,
  action: row.action,
  step_id: row.stepId,
  status: row.status,
  error: row.error,
  error_kind: row.errorKind,
  error_code: row.errorCode,
  reason: row.reason,
  crm_id: row.crmId,
  attempts: row.attempts,
  replayable: row.replayable,
  config_version: row.configVersion,
  run: row.unit.run,
  item: row.item ?? null,
  created_at: row.createdAt,
  completed_at: row.completedAt,
});
