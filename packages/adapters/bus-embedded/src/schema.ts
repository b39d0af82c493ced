/** Every object of the log. Runs whole, in one transaction, any number of times. */
export const schemaSql = `
CREATE SCHEMA IF NOT EXISTS sluice_bus;

CREATE TABLE IF NOT EXISTS sluice_bus.topics (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  partitions int NOT NULL,
  cleanup text NOT NULL CHECK (cleanup IN ('delete', 'compact')),
  retention_ms bigint NOT NULL
);

-- A partition's row is locked by whoever appends: offsets have no gaps and become visible in order.
CREATE TABLE IF NOT EXISTS sluice_bus.partitions (
  topic_id int NOT NULL REFERENCES sluice_bus.topics,
  partition int NOT NULL,
  next_offset bigint NOT NULL DEFAULT 0,
  log_start bigint NOT NULL DEFAULT 0,
  compacted_to bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic_id, partition)
) WITH (fillfactor = 20);

CREATE TABLE IF NOT EXISTS sluice_bus.messages (
  topic_id int NOT NULL,
  partition int NOT NULL,
  "offset" bigint NOT NULL,
  size int NOT NULL,
  created_at timestamptz NOT NULL,
  key text NOT NULL,
  headers json,
  value bytea,
  PRIMARY KEY (topic_id, partition, "offset")
);
-- Values are read once and whole: compressing them costs more than it saves. Asked first: the change locks the table.
DO $storage$ BEGIN
  IF (SELECT attstorage FROM pg_attribute WHERE attrelid = 'sluice_bus.messages'::regclass AND attname = 'value') <> 'e' THEN
    ALTER TABLE sluice_bus.messages ALTER COLUMN value SET STORAGE EXTERNAL;
  END IF;
END $storage$;

CREATE TABLE IF NOT EXISTS sluice_bus.groups (
  topic_id int NOT NULL REFERENCES sluice_bus.topics,
  name text NOT NULL,
  PRIMARY KEY (topic_id, name)
);

CREATE TABLE IF NOT EXISTS sluice_bus.members (
  topic_id int NOT NULL,
  group_name text NOT NULL,
  id text NOT NULL,
  installation text NOT NULL,
  instance text NOT NULL,
  lease_until timestamptz NOT NULL,
  PRIMARY KEY (topic_id, group_name, id),
  FOREIGN KEY (topic_id, group_name) REFERENCES sluice_bus.groups
) WITH (fillfactor = 20);

-- owner: who reads the partition. target: who is to get it once the owner lets go. epoch: rises with every change of
-- owner and fences commits. next_offset: what the group reads next; null before the first commit.
CREATE TABLE IF NOT EXISTS sluice_bus.cursors (
  topic_id int NOT NULL,
  group_name text NOT NULL,
  partition int NOT NULL,
  owner text,
  target text,
  epoch bigint NOT NULL DEFAULT 0,
  next_offset bigint,
  PRIMARY KEY (topic_id, group_name, partition),
  FOREIGN KEY (topic_id, group_name) REFERENCES sluice_bus.groups
) WITH (fillfactor = 20);

-- Appends messages of several partitions. parts: distinct partitions, ascending (one order of locks for everybody).
-- Per message: slot (place in parts, from 1), rank (place among the partition's messages, from 0), key, headers,
-- and where its value lies in the blob (from 1; length -1: null).
CREATE OR REPLACE FUNCTION sluice_bus.append(
  topic int, parts int[], counts int[], slots int[], ranks int[], keys text[], headers text[], starts int[], lengths int[], blob bytea
) RETURNS void LANGUAGE plpgsql AS $append$
DECLARE
  bases bigint[] := '{}';
  base bigint;
BEGIN
  -- What was answered must survive a crash, whatever the server's default is.
  PERFORM set_config('synchronous_commit', 'on', true);
  FOR i IN 1 .. cardinality(parts) LOOP
    UPDATE sluice_bus.partitions p SET next_offset = next_offset + counts[i]
      WHERE p.topic_id = topic AND p.partition = parts[i] RETURNING next_offset - counts[i] INTO base;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'topic % has no partition %', topic, parts[i] USING ERRCODE = 'invalid_parameter_value';
    END IF;
    bases := bases || base;
  END LOOP;
  INSERT INTO sluice_bus.messages (topic_id, partition, "offset", size, created_at, key, headers, value)
    SELECT topic, parts[m.slot], bases[m.slot] + m.rank, 32 + length(m.key) + greatest(m.len, 0), clock_timestamp(), m.key, m.head::json,
           CASE WHEN m.len >= 0 THEN substring(blob FROM m.start FOR m.len) END
    FROM unnest(slots, ranks, keys, headers, starts, lengths) AS m(slot, rank, key, head, start, len);
  PERFORM pg_notify('sluice_bus', 't' || topic);
END
$append$;
`;
