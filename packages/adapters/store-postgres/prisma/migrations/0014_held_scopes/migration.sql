-- What a scope's first row says, kept with the scope: neither a new owner nor a look at what is due reads the rows (ADR 0033).
ALTER TABLE held_scopes
  ADD COLUMN lane text,
  ADD COLUMN head_offset bigint,
  ADD COLUMN due_at timestamptz(3),
  ADD COLUMN reason text;

UPDATE held_scopes s SET head_offset = h."offset", due_at = h.due_at, reason = h.reason,
  lane = CASE WHEN s.scope LIKE 'lane:%' OR s.scope LIKE 'flow:%' THEN h.lane END
FROM held_scopes o, LATERAL (
  SELECT * FROM held_events e WHERE e.topic = o.topic AND e.partition = o.partition AND e.scope = o.scope
  ORDER BY e."offset", e.entity_index, e.run LIMIT 1) h
WHERE s.topic = o.topic AND s.partition = o.partition AND s.scope = o.scope;

ALTER TABLE held_scopes ALTER COLUMN head_offset SET NOT NULL, ALTER COLUMN reason SET NOT NULL;

-- What is due next of each connector, and what waits of a lane.
CREATE INDEX held_scopes_due_idx ON held_scopes (topic, partition, connector_id, due_at NULLS FIRST);
CREATE INDEX held_scopes_lane_idx ON held_scopes (topic, partition, lane) WHERE lane IS NOT NULL;

-- Counts the rows of each scope and keeps what its first row says; empty scopes go. Scopes are locked in one order, so that two
-- writers cannot wait for each other, and before their rows are looked at, so that what another writer left is seen. EXECUTE: planned
-- for the sizes of the moment, for a plan that was kept since the tables were small reads all of them.
CREATE OR REPLACE FUNCTION sluice_count_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO held_scopes AS s (topic, partition, scope, connector_id, lane, count, head_offset, due_at, reason)
    SELECT DISTINCT ON (topic, partition, scope) topic, partition, scope, connector_id,
      CASE WHEN scope LIKE 'lane:%' OR scope LIKE 'flow:%' THEN lane END,
      count(*) OVER (PARTITION BY topic, partition, scope), "offset", due_at, reason
    FROM added ORDER BY topic, partition, scope, "offset", entity_index, run
    ON CONFLICT (topic, partition, scope) DO UPDATE SET count = s.count + excluded.count,
      head_offset = least(s.head_offset, excluded.head_offset),
      due_at = CASE WHEN excluded.head_offset < s.head_offset THEN excluded.due_at ELSE s.due_at END,
      reason = CASE WHEN excluded.head_offset < s.head_offset THEN excluded.reason ELSE s.reason END;
    RETURN NULL;
  END IF;

  IF TG_OP = 'DELETE' THEN
    EXECUTE $sql$
      SELECT 1 FROM (SELECT DISTINCT topic, partition, scope FROM removed ORDER BY topic, partition, scope) r, LATERAL (
        SELECT 1 FROM held_scopes s WHERE s.topic = r.topic AND s.partition = r.partition AND s.scope = r.scope FOR UPDATE LIMIT 1) locked $sql$;
    -- The new head is looked for from the old one on: what has gone before it is not passed again.
    EXECUTE $sql$
      INSERT INTO held_scopes AS s (topic, partition, scope, connector_id, count, head_offset, reason)
      SELECT topic, partition, scope, min(connector_id::text)::uuid, -count(*), min("offset"), min(reason) FROM removed
      GROUP BY topic, partition, scope ORDER BY topic, partition, scope
      ON CONFLICT (topic, partition, scope) DO UPDATE SET count = s.count + excluded.count,
        (head_offset, due_at, reason) = (
          SELECT coalesce(h."offset", s.head_offset), h.due_at, coalesce(h.reason, s.reason) FROM (SELECT) one LEFT JOIN LATERAL (
            SELECT e."offset", e.due_at, e.reason FROM held_events e
            WHERE e.topic = s.topic AND e.partition = s.partition AND e.scope = s.scope AND e."offset" >= s.head_offset
            ORDER BY e."offset", e.entity_index, e.run LIMIT 1) h ON true) $sql$;
  ELSE
    EXECUTE $sql$
      SELECT 1 FROM (
        SELECT topic, partition, scope FROM removed UNION SELECT topic, partition, scope FROM added ORDER BY topic, partition, scope) r, LATERAL (
        SELECT 1 FROM held_scopes s WHERE s.topic = r.topic AND s.partition = r.partition AND s.scope = r.scope FOR UPDATE LIMIT 1) locked $sql$;
    EXECUTE $sql$
      INSERT INTO held_scopes AS s (topic, partition, scope, connector_id, lane, count, head_offset, due_at, reason)
      SELECT DISTINCT ON (topic, partition, scope) topic, partition, scope, connector_id,
        CASE WHEN scope LIKE 'lane:%' OR scope LIKE 'flow:%' THEN lane END,
        sum(n) OVER (PARTITION BY topic, partition, scope), "offset", due_at, reason
      FROM (SELECT a.*, 1 AS n FROM added a UNION ALL SELECT r.*, -1 FROM removed r) changes
      ORDER BY topic, partition, scope, n DESC, "offset", entity_index, run
      ON CONFLICT (topic, partition, scope) DO UPDATE SET count = s.count + excluded.count,
        (head_offset, due_at, reason) = (
          SELECT coalesce(h."offset", s.head_offset), h.due_at, coalesce(h.reason, s.reason) FROM (SELECT) one LEFT JOIN LATERAL (
            SELECT e."offset", e.due_at, e.reason FROM held_events e
            WHERE e.topic = s.topic AND e.partition = s.partition AND e.scope = s.scope AND e."offset" >= least(s.head_offset, excluded.head_offset)
            ORDER BY e."offset", e.entity_index, e.run LIMIT 1) h ON true) $sql$;
  END IF;
  EXECUTE $sql$
    DELETE FROM held_scopes WHERE ctid = ANY (ARRAY(
      SELECT gone.at FROM (SELECT DISTINCT topic, partition, scope FROM removed) r, LATERAL (
        SELECT s.ctid AS at FROM held_scopes s
        WHERE s.topic = r.topic AND s.partition = r.partition AND s.scope = r.scope AND s.count <= 0 LIMIT 1) gone)) $sql$;
  RETURN NULL;
END $$;
