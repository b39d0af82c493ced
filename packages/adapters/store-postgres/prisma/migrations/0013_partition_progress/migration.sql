-- How far each partition is settled, written in the transactions that settle it (ADR 0052). A table of its own: a renewal of the
-- lease must not wait for a settle, which changes this row. A row without an offset is one of before this table: not known.
CREATE TABLE partition_progress (
  topic text NOT NULL,
  partition integer NOT NULL,
  settled_offset bigint,
  revision bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, partition)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

INSERT INTO partition_progress (topic, partition) SELECT topic, partition FROM partition_owners;
