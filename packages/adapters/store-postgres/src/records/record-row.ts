import type { RecordRow } from '@sluice/ports';

/** Columns of sync_events that every view of a record needs. */
export const recordColumns = `id, organization_id, connector_id, event_id, entity_index, run, flow_name, source_name, event_type,
  entity_name, external_id, action, step_id, status, error, error_kind, error_code, reason, crm_id, attempts, replayable,
  config_version, created_at, completed_at, item`;

/** A row of sync_events as the port speaks of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg gives them
export const recordRowOf = (row: any): RecordRow => ({
  id: row.id,
  organizationId: row.organization_id,
  connectorId: row.connector_id,
  unit: { eventId: row.event_id, entityIndex: row.entity_index, run: row.run },
  flowName: row.flow_name,
  sourceName: row.source_name,
  eventType: row.event_type,
  entityName: row.entity_name,
  externalId: row.external_id,
  action: row.action,
  stepId: row.step_id,
  status: row.status,
  error: row.error,
  errorKind: row.error_kind,
  errorCode: row.error_code,
  reason: row.reason,
  crmId: row.crm_id,
  attempts: row.attempts,
  replayable: row.replayable,
  configVersion: row.config_version,
  createdAt: row.created_at.toISOString(),
  completedAt: row.completed_at.toISOString(),
  steps: row.steps ?? [],
  ...(row.item !== null && { item: row.item }),
});
