-- Breakers of flows (docs/reference/events.md, Flow breaker). A flow without a row is closed.
CREATE TABLE flow_breakers (
  connector_id uuid NOT NULL,
  flow_name text NOT NULL,
  state text NOT NULL CHECK (state IN ('closed', 'open', 'half_open')),
  -- What an operator set; nothing automatic changes it.
  forced text CHECK (forced IN ('open', 'closed')),
  reason text,
  detail text,
  opened_at timestamptz(3),
  retry_after_at timestamptz(3),
  cooldown_ms bigint,
  opens integer NOT NULL,
  closed_at timestamptz(3),
  fatal_streak integer NOT NULL,
  exhausted_streak integer NOT NULL,
  attempt_unit text,
  attempt_until timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connector_id, flow_name)
) WITH (fillfactor = 70);
CREATE INDEX flow_breakers_updated ON flow_breakers (updated_at);
CREATE INDEX flow_breakers_notable ON flow_breakers (connector_id) WHERE state <> 'closed' OR forced IS NOT NULL;

-- Fatal failures of the last hours, for the failure rate: they leave no record row while their event is held.
CREATE TABLE flow_failures (
  connector_id uuid NOT NULL,
  flow_name text NOT NULL,
  at timestamptz(0) NOT NULL,
  failures integer NOT NULL,
  PRIMARY KEY (connector_id, flow_name, at)
);
CREATE INDEX flow_failures_at ON flow_failures (at);
