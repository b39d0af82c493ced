-- When a source that Sluice reads is read next, and what keeps it from that (docs/reference/sources.md).
ALTER TABLE connector_sources
  -- The schedule that next_due_at was computed for: with another one it is computed anew.
  ADD COLUMN due_schedule text,
  -- The tick that is read next, or that failed.
  ADD COLUMN next_due_at timestamptz(3),
  -- After a failure it is not read before: by itself, and (retry_after_at) not even when somebody asks.
  ADD COLUMN wait_until timestamptz(3),
  ADD COLUMN retry_after_at timestamptz(3),
  ADD COLUMN poll_requested_at timestamptz(3),
  ADD COLUMN failures integer NOT NULL DEFAULT 0;

-- What a source had of each record when it was read last, for `emit: changed`.
CREATE TABLE source_contents (
  connector_id uuid NOT NULL,
  source_name text NOT NULL,
  external_id text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (connector_id, source_name, external_id),
  CONSTRAINT source_contents_connector_id_source_name_fkey FOREIGN KEY (connector_id, source_name)
    REFERENCES connector_sources (connector_id, name) ON DELETE CASCADE ON UPDATE CASCADE
);
