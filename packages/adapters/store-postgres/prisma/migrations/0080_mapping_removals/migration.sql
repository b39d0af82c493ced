-- Mappings whose records the connector itself deleted, and where in the log that stood: an older event that comes late (a replay,
-- one that stepped aside) makes no record anew.
CREATE TABLE mapping_removals (
  connector_id uuid NOT NULL,
  entity text NOT NULL,
  external_id text NOT NULL,
  position_partition integer NOT NULL,
  position_offset bigint NOT NULL,
  position_accepted_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, entity, external_id)
);
CREATE INDEX mapping_removals_removed_at_idx ON mapping_removals (removed_at);
