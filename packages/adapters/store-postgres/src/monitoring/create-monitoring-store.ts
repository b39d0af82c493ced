import { keptForEver, type MonitoringStore, type Retention } from '@sluice/ports';
import type { Pool } from 'pg';
import { fold } from '../counts/fold';
import { rebuild } from '../counts/rebuild';
import { keptRows } from '../kept-rows';
import { retried } from '../transaction';
import { errorSummary } from './error-summary';
import { endedSince } from './ended-since';
import { eventSeries, processSeries, recordSeries, skipsByFlow } from './series';
import { addProcessCounts, dailyEvents } from './usage';
import { waiting } from './waiting';

/** What happened and what waits, on Postgres. It answers people alone, so that no other part needs a twin of it. */
export function createMonitoringStore(pool: Pool, retention: Retention = keptForEver): MonitoringStore {
  const kept = keptRows(retention);
  const acceptedAtSql = `SELECT min(accepted_at) AS at FROM ${kept.events} e WHERE event_id = $1 AND connector_id = $2`;
  return {
    recordSeries: (...asked) => recordSeries(pool, ...asked),
    endedSince: (...asked) => endedSince(pool, ...asked),
    eventSeries: (...asked) => eventSeries(pool, ...asked),
    processSeries: (...asked) => processSeries(pool, ...asked),
    skipsByFlow: (...asked) => skipsByFlow(pool, ...asked),
    errorSummary: (...asked) => errorSummary(pool, kept, ...asked),
    waiting: (...asked) => waiting(pool, ...asked),
    acceptedAt: async (connectorId, eventId) =>
      (await retried(() => pool.query<{ at: Date | null }>(acceptedAtSql, [eventId, connectorId]))).rows[0]!.at,
    addProcessCounts: (entries) => addProcessCounts(pool, entries),
    dailyEvents: (...asked) => dailyEvents(pool, ...asked),
    fold: (...asked) => fold(pool, ...asked),
    rebuild: (...asked) => rebuild(pool, ...asked),
    storeTime: async () => (await retried(() => pool.query<{ now: Date }>('SELECT clock_timestamp() AS now'))).rows[0]!.now,
  };
}
