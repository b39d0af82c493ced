-- How far each partition is in the event index, written with its rows (ADR 0052). A row without an offset: not known.
CREATE TABLE event_index_progress (
  topic text NOT NULL,
  partition integer NOT NULL,
  next_offset bigint,
  PRIMARY KEY (topic, partition)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

INSERT INTO event_index_progress (topic, partition) SELECT topic, partition FROM partition_owners;
