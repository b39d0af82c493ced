/** Counts, backlogs and summaries of a connector. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Monitoring',
      rules: [
        ['`GET /api/connectors/{connector_id}/errors/summary`: groups by error, newest first, 20 records each, the 2,000 most recent failed, dlq, partial_success and parked records; `scan_capped`', null],
        ['`GET /api/connectors/{connector_id}/stats`: `{since, until, events_received, records, in_flight, held, latency_ms, crm_calls}`', null],
        ['`GET /api/connectors/{connector_id}/stats/timeline` by `range` (24h, 7d, 30d) and `granularity` (daily, hourly)', null],
        ['`GET /api/connectors/{connector_id}/stats/timeseries` by `metric`: `events_received`, `records_ok`, `records_failed`, `records_skipped`, `crm_calls`, `latency_p95`; another: 422', null],
        ['`GET /api/connectors/{connector_id}/inbound-backlog`: `empty`, `flowing`, `congested` (oldest 5 minutes, `SLUICE_BACKLOG_CONGESTED`), `stalled` (15 minutes without finishing, `SLUICE_BACKLOG_STALLED`)', null],
        ['`estimated_wait_seconds` only when congested', null],
        ['`GET /api/connectors/{connector_id}/sla`: 402 `sla_monitoring_not_available` but for Enterprise', null],
        ['`GET /api/health/data-plane` says when ingestion is back after a 503', null],
      ],
    },
  ],
};
