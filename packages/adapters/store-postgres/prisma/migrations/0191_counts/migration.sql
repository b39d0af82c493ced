-- What happened, counted (docs/architecture.md, Counts): minutes are written with the rows they count, a worker adds ended hours up.
-- A sum over a time is the sum over minutes, hours and days of that time: each count stands in exactly one of them.
CREATE TABLE record_minutes (
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  -- '' where no flow matched.
  flow_name text NOT NULL,
  status text NOT NULL,
  records bigint NOT NULL,
  -- First runs by the time from their acceptance to their end; the bounds are those of latency-bounds.ts.
  latency integer[] NOT NULL,
  PRIMARY KEY (connector_id, at, flow_name, status)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX record_minutes_at ON record_minutes (at);

-- Without flows: what the timeline of a month reads.
CREATE TABLE record_hours (
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  status text NOT NULL,
  records bigint NOT NULL,
  latency integer[] NOT NULL,
  PRIMARY KEY (connector_id, at, status)
);
CREATE INDEX record_hours_at ON record_hours (at);

CREATE TABLE record_days (
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  flow_name text NOT NULL,
  status text NOT NULL,
  records bigint NOT NULL,
  latency integer[] NOT NULL,
  PRIMARY KEY (connector_id, at, flow_name, status)
);
CREATE INDEX record_days_at ON record_days (at);

-- Entities that were accepted: first runs only, replays are not accepted again.
CREATE TABLE event_minutes (
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  source_name text NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (connector_id, at, source_name)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX event_minutes_at ON event_minutes (at);
CREATE INDEX event_minutes_organization ON event_minutes (organization_id, at);

CREATE TABLE event_hours (
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (connector_id, at)
);
CREATE INDEX event_hours_at ON event_hours (at);

-- What usage and quota read.
CREATE TABLE event_days (
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  source_name text NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (organization_id, at, connector_id, source_name)
);
CREATE INDEX event_days_connector ON event_days (connector_id, at);
CREATE INDEX event_days_at ON event_days (at);

-- What processes count in memory and store every few seconds: the last seconds of a killed process are missing.
CREATE TABLE process_minutes (
  connector_id uuid NOT NULL,
  at timestamptz(0) NOT NULL,
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (connector_id, name, at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX process_minutes_at ON process_minutes (at);

-- Adds two histograms.
CREATE FUNCTION sluice_add_histograms(one integer[], other integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(coalesce(a, 0) + coalesce(b, 0) ORDER BY n) FROM unnest(one, other) WITH ORDINALITY AS t(a, b, n)
$$;
CREATE AGGREGATE sluice_sum_histograms(integer[]) (SFUNC = sluice_add_histograms, STYPE = integer[], INITCOND = '{}');

-- The newest records that need attention, without reading those that are fine.
CREATE INDEX sync_events_trouble ON sync_events (connector_id, created_at DESC, id DESC)
  WHERE status IN ('failed', 'dlq', 'partial_success', 'parked');

-- The quota reads counts now.
DROP INDEX event_index_organization_id_accepted_at_idx;

-- What was stored before this migration.
INSERT INTO record_days (connector_id, at, flow_name, status, records, latency)
SELECT connector_id, date_trunc('day', completed_at, 'UTC'), coalesce(flow_name, ''), status, count(*), '{}'
FROM sync_events GROUP BY 1, 2, 3, 4;
INSERT INTO record_hours (connector_id, at, status, records, latency)
SELECT connector_id, date_trunc('hour', completed_at, 'UTC'), status, count(*), '{}' FROM sync_events GROUP BY 1, 2, 3;
INSERT INTO event_days (organization_id, connector_id, at, source_name, events)
SELECT organization_id, connector_id, date_trunc('day', accepted_at, 'UTC'), source_name, count(*)
FROM event_index WHERE run = 'first' GROUP BY 1, 2, 3, 4;
INSERT INTO event_hours (connector_id, at, events)
SELECT connector_id, date_trunc('hour', accepted_at, 'UTC'), count(*) FROM event_index WHERE run = 'first' GROUP BY 1, 2;
