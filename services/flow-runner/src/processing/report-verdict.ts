import type { LogFields, Logger, StoreClock } from '@sluice/ports';
import { scopeText } from '@sluice/ports';
import { holdsOthers } from '../held/held-scope';
import type { Unit } from '../units/unit';
import type { Verdict } from '../units/verdicts/verdict';
import type { RunnerMetrics } from '../runner-metrics';

export interface ReportDeps {
  metrics: Pick<RunnerMetrics, 'held' | 'settled'>;
  logger: Logger;
  storeNow: StoreClock;
}

/** One log line per outcome; completed and skipped ones only at level debug. */
export function reportVerdict(
  deps: ReportDeps, unit: Unit, verdict: Exclude<Verdict, { kind: 'abandon' }>, flowName: string | null,
): void {
  const { envelope } = unit;
  const base = (): LogFields => ({
    event_id: envelope.event_id,
    entity_index: envelope.entity_index,
    connector_id: envelope.connector_id,
    request_id: envelope.request_id,
    event_type: envelope.event_type,
    flow: flowName,
    lane: envelope.lane,
  });
  if (verdict.kind === 'hold') {
    const { held } = verdict;
    deps.metrics.held(held.reason);
    deps.logger.warn('event held', {
      ...base(),
      reason: held.reason,
      scope: holdsOthers(held.scope) ? scopeText(held.scope) : 'event',
      attempts: held.attempts,
      due_at: held.dueAt === null ? null : new Date(held.dueAt).toISOString(),
      cause: held.lastError,
    });
    return;
  }
  for (const row of verdict.rows) {
    deps.metrics.settled(row.status, envelope.replayed_at ?? envelope.accepted_at, deps.storeNow());
    const fields = (): LogFields => ({
      ...base(),
      status: row.status,
      crm_id: row.crmId,
      external_id: row.externalId,
      attempts: row.attempts,
      error_code: row.errorCode,
      cause: row.error,
      reason: row.reason,
    });
    if (row.status === 'completed' || row.status === 'skipped') deps.logger.debug('record settled', fields);
    else deps.logger.warn('record settled', fields());
  }
}
