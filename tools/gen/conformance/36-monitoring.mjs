/** Counts, backlogs and summaries of a connector. */
const feature = 'services/config-api/src/features/monitoring';

const tests = {
  monitoring: `${feature}/monitoring.integration.test.ts`,
  'backlog view': `${feature}/backlog-view.test.ts`,
  'monitoring store': 'packages/adapters/store-postgres/src/monitoring/monitoring-store.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Monitoring',
      rules: [
        ['`GET /api/connectors/{connector_id}/errors/summary`: groups by error, newest first, in a range with an exclusive end; default 7 days', 'monitoring groups records by their error, the newest first, in a range with an exclusive end'],
        ['Failed, dlq, partial_success and parked records; at most 20 records a group; those without an error message are not counted', 'monitoring store are grouped by their text, the newest first, with at most 20 records each'],
        ['At most the 2,000 most recent records are read: `scan_capped`', 'monitoring store are read up to a bound'],
        ['`GET /api/connectors/{connector_id}/stats`: `{since, until, events_received, records, in_flight, held, latency_ms, crm_calls}`', 'monitoring counts what was received, what became of it, what waits, and how long it took'],
        ['`GET /api/connectors/{connector_id}/stats/timeline` by `range` (24h, 7d, 30d) and `granularity` (daily, hourly)', 'monitoring timeline has every step of the range'],
        ['`GET /api/connectors/{connector_id}/stats/timeseries` by `metric`: `events_received`, `records_ok`, `records_failed`, `records_skipped`, `crm_calls`', 'monitoring timeseries has one metric: events received, records by result, calls of the CRM'],
        ['`latency_p95`; another metric: 422', 'monitoring timeseries of latency_p95 has no value where nothing was measured; another metric is refused'],
        ['`GET /api/connectors/{connector_id}/sync-events/summary`, with `include=skips_by_flow`', 'monitoring the summary of sync events counts the last week, and skips by flow when asked'],
        ['`GET /api/connectors/{connector_id}/sync-jobs`: empty, `limit` above 100: 422', 'monitoring sync-jobs is a list of none, with its own limits'],
        ['`GET /api/connectors/{connector_id}/inbound-backlog`: `empty`, `flowing`, `congested`, `stalled`', 'monitoring is empty, flowing, congested or stalled'],
        ['congested from 5 minutes on (`SLUICE_BACKLOG_CONGESTED`)', 'backlog view congested: the oldest has waited for five minutes, records finish'],
        ['stalled when none has finished in 15 minutes (`SLUICE_BACKLOG_STALLED`) and the oldest has waited that long', 'backlog view stalled: the oldest has waited for the whole window and none has finished'],
        ['`estimated_wait_seconds` only when congested', 'backlog view estimates the wait from what finished, only when congested'],
        ['`GET /api/connectors/{connector_id}/sla`: 402 `sla_monitoring_not_available` but for Enterprise', 'monitoring the SLA report is for Enterprise'],
        ['`GET /api/health/data-plane` says when ingestion is back after a 503', 'monitoring the data plane is available while the log and the blob store answer, told to anybody'],
        ['`GET /api/connectors/{connector_id}/events/{event_id}/timeline`: accepted, steps, end', 'monitoring the timeline of an event has its acceptance, its steps and its end in order'],
        ['`POST /operator/counts/rebuild` counts again from the rows', 'monitoring an operator has the counts made again'],
        ['Monitoring of another organization\'s connector is 404', 'monitoring another organization\'s connector is answered as an unknown one'],
        ['Usage by organization, connector, source and day, each event once', 'monitoring store are counted once each, by organization, connector, source and day'],
      ],
    },
  ],
};
