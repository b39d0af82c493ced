-- Jobs that replay many records (docs/reference/events.md, Replays).
CREATE TABLE replay_jobs (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  status text NOT NULL,
  -- What was asked: filter or ids, force, dry_run, rate_per_second, request_id.
  request json NOT NULL,
  matched bigint NOT NULL DEFAULT 0,
  replayed bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  error text,
  -- The last record that was looked at.
  cursor_at timestamptz(3),
  cursor_id uuid,
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3)
);
CREATE INDEX replay_jobs_connector ON replay_jobs (connector_id, created_at DESC, id);
CREATE INDEX replay_jobs_created ON replay_jobs (created_at);

-- What a job has started.
CREATE INDEX record_replays_run ON record_replays (run);

-- A forced job matches quarantined records too.
DROP INDEX sync_events_trouble;
CREATE INDEX sync_events_trouble ON sync_events (connector_id, created_at DESC, id DESC)
  WHERE status IN ('failed', 'dlq', 'partial_success', 'parked', 'quarantined');
