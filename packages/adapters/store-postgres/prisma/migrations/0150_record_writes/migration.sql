-- Where in the log the last write of a record stood that no mapping leads to (update_by_id, writes without an external id): an older
-- event that comes late writes nothing over it (ADR 0036).
CREATE TABLE record_writes (
  portal_id text NOT NULL,
  object_type text NOT NULL,
  crm_id text NOT NULL,
  position_partition integer NOT NULL,
  position_offset bigint NOT NULL,
  position_accepted_at timestamptz(3) NOT NULL,
  written_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (portal_id, object_type, crm_id)
);
CREATE INDEX record_writes_written_at_idx ON record_writes (written_at);
