import type { RecordRow } from '@sluice/ports';
import type { EventStanding } from './event-status';

/** The body of a status answer (contract `get_event_status`). */
export function statusAnswer(eventId: string, standing: EventStanding): Record<string, unknown> {
  const { status, total, done, rows, held } = standing;
  return {
    event_id: eventId,
    status,
    entities_total: total,
    entities_done: done,
    entities: rows.map(entityRow),
    ...(held && { held }),
    hint: standingHint(standing),
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

/** What a sender can do about a state that is not as hoped; null when there is nothing to say. */
export function standingHint({ status, rows }: EventStanding): string | null {
  if (status === 'delayed')
    return 'The event has not started in time. Nothing is lost: see the inbound backlog of the connector.';
  const lost = rows.filter(({ item, replayable }) => item !== undefined && replayable).length;
  // Of a long list the few that matter are hard to see.
  if (lost > 0 && (status === 'partial_failure' || status === 'failed'))
    return `${lost} of the ${rows.length} records of this event did not arrive: see \`error\` of those that are \`replayable\`.`;
  if (status !== 'skipped') return null;
  const [first] = rows;
  if (rows.every((row) => hasNotRun(row, 'flow_disabled'))) return 'Only a disabled flow is subscribed to this event.';
  return rows.every((row) => hasNotRun(row, 'no_flow_matched'))
    ? `No published flow is subscribed to "${first?.eventType ?? ''}".`
    : null;
}

/** Whether no flow ran, for this reason. A `skip` step may give the same text: then it has run. */
const hasNotRun = ({ reason, steps }: RecordRow, why: 'flow_disabled' | 'no_flow_matched'): boolean =>
  reason === why && steps.length === 0;
