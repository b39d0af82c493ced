import type { RecordRow } from '@sluice/ports';
import type { EventProgress } from './event-status';

/** The body of a status answer (contract `get_event_status`). */
export function statusAnswer(eventId: string, progress: EventProgress): Record<string, unknown> {
  const { status, total, done, rows, held } = progress;
  return {
    event_id: eventId,
    status,
    entities_total: total,
    entities_done: done,
    entities: rows.map(entityRow),
    ...(held && { held }),
    hint: statusHint(progress),
  };
}

function entityRow(row: RecordRow): Record<string, unknown> {
  return {
    entity_name: row.entityName,
    external_id: row.externalId,
    action: row.action,
    status: row.status,
    crm_id: row.crmId,
    error: row.error,
    replayable: row.replayable,
    sync_event_id: row.id,
    reason: row.reason,
    error_kind: row.errorKind,
    error_code: row.errorCode,
    flow_name: row.flowName,
    step_id: row.stepId,
    attempts: row.attempts,
    config_version: row.configVersion,
  };
}

/** A hint for the sender of an event that is late, failed in part or was skipped; null for all others. */
export function statusHint({ status, rows }: EventProgress): string | null {
  if (status === 'delayed')
    return 'The event has not started in time. Nothing is lost: see the inbound backlog of the connector.';
  const lost = rows.filter(({ item, replayable }) => item !== undefined && replayable).length;
  // The few failed records are hard to find in a long list.
  if (lost > 0 && (status === 'partial_failure' || status === 'failed'))
    return `${lost} of the ${rows.length} records of this event did not arrive: see \`error\` of those that are \`replayable\`.`;
  if (status !== 'skipped') return null;
  const [first] = rows;
  if (rows.every((row) => hasNotRun(row, 'flow_disabled'))) return 'Only a disabled flow is subscribed to this event.';
  return rows.every((row) => hasNotRun(row, 'no_flow_matched'))
    ? `No published flow is subscribed to "${first?.eventType ?? ''}".`
    : null;
}

/** Whether no flow ran, for this reason. A `skip` step may give the same text, but then a flow has run. */
const hasNotRun = ({ reason, steps }: RecordRow, why: 'flow_disabled' | 'no_flow_matched'): boolean =>
  reason === why && steps.length === 0;
