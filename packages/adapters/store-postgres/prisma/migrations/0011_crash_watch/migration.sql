-- Whether the owner before this one ended without giving the partition back (ADR 0048).
ALTER TABLE partition_owners ADD COLUMN taken_unclean boolean NOT NULL DEFAULT false;

-- Units that a runner has begun while it watches a partition after a crash, and how many deaths each has been part of.
CREATE TABLE watched_units (
  topic text NOT NULL,
  partition integer NOT NULL,
  event_id text NOT NULL,
  entity_index integer NOT NULL,
  run text NOT NULL,
  deaths integer NOT NULL,
  -- Under way in the life of the present owner.
  begun boolean NOT NULL,
  PRIMARY KEY (topic, partition, event_id, entity_index, run)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
