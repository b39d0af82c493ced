-- What the runners and the index write. Written by hand: Prisma knows neither time partitions nor triggers.

-- Who may write for a partition. The second key makes a change of epoch conflict with the FOR KEY SHARE
-- that every settle holds, while a renewal of the lease does not: renewals never wait behind settles.
CREATE TABLE partition_owners (
  topic text NOT NULL,
  partition integer NOT NULL,
  owner text NOT NULL,
  epoch bigint NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  released_at timestamptz(3),
  PRIMARY KEY (topic, partition),
  UNIQUE (topic, partition, epoch)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Daily time partitions --------------------------------------------------------------------------------------

CREATE TABLE sync_events (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  event_id text NOT NULL,
  entity_index integer NOT NULL,
  run text NOT NULL,
  flow_name text,
  source_name text NOT NULL,
  event_type text NOT NULL,
  entity_name text,
  external_id text,
  action text,
  step_id text,
  status text NOT NULL CHECK (status IN ('completed', 'skipped', 'failed', 'parked', 'partial_success', 'dlq', 'quarantined')),
  error text,
  error_kind text CHECK (error_kind IN ('transient', 'permanent', 'fatal')),
  error_code text,
  reason text,
  crm_id text,
  attempts integer NOT NULL,
  replayable boolean NOT NULL,
  config_version integer,
  completed_at timestamptz(3) NOT NULL,
  -- json, not jsonb: kept as it came, and U+0000 in a value is no error.
  steps json NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX sync_events_event_id_entity_index_idx ON sync_events (event_id, entity_index);
CREATE INDEX sync_events_connector_id_created_at_id_idx ON sync_events (connector_id, created_at DESC, id DESC);
CREATE TABLE sync_events_default PARTITION OF sync_events DEFAULT;

CREATE TABLE event_index (
  event_id text NOT NULL,
  entity_index integer NOT NULL,
  run text NOT NULL,
  accepted_at timestamptz(3) NOT NULL,
  entities_total integer NOT NULL,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  source_name text NOT NULL,
  event_type text NOT NULL,
  external_id text,
  lane text NOT NULL,
  kind text NOT NULL,
  aliases text[] NOT NULL,
  payload_ref text,
  PRIMARY KEY (event_id, entity_index, run, accepted_at)
) PARTITION BY RANGE (accepted_at);
CREATE INDEX event_index_connector_id_accepted_at_idx ON event_index (connector_id, accepted_at DESC);
-- Replays are not accepted again: the quota counts first runs.
CREATE INDEX event_index_organization_id_accepted_at_idx ON event_index (organization_id, accepted_at) WHERE run = 'first';
CREATE TABLE event_index_default PARTITION OF event_index DEFAULT;

-- Apart from event_index, so that payloads go by dropping tables while their events stay listed.
CREATE TABLE event_payloads (
  event_id text NOT NULL,
  entity_index integer NOT NULL,
  run text NOT NULL,
  accepted_at timestamptz(3) NOT NULL,
  payload json NOT NULL,
  PRIMARY KEY (event_id, entity_index, run, accepted_at)
) PARTITION BY RANGE (accepted_at);
CREATE TABLE event_payloads_default PARTITION OF event_payloads DEFAULT;

-- Creates the partition of one UTC day unless it exists. Rows that already went to the default partition move.
CREATE FUNCTION sluice_add_day(parent text, time_column text, day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  lower_bound timestamptz := day::timestamp AT TIME ZONE 'UTC';
  upper_bound timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(child) IS NOT NULL THEN RETURN; END IF;
  -- One creator at a time, and no writer between the move and the attach.
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', parent);
  IF to_regclass(child) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
    parent || '_default', time_column, lower_bound, time_column, upper_bound, child);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child, lower_bound, upper_bound);
END $$;

-- Drops the daily partitions that ended at or before a day, and what the default partition holds of that time.
CREATE FUNCTION sluice_drop_days_before(parent text, time_column text, day date) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  child text;
  dropped integer := 0;
BEGIN
  FOR child IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = parent::regclass AND c.relname ~ ('^' || parent || '_[0-9]{8}$')
      AND right(c.relname, 8) < to_char(day, 'YYYYMMDD')
    ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I', child);
    dropped := dropped + 1;
  END LOOP;
  EXECUTE format('DELETE FROM %I WHERE %I < %L', parent || '_default', time_column, day::timestamp AT TIME ZONE 'UTC');
  RETURN dropped;
END $$;

SELECT sluice_add_day(t.parent, t.time_column, (now() AT TIME ZONE 'UTC')::date + d)
FROM (VALUES ('sync_events', 'created_at'), ('event_index', 'accepted_at'), ('event_payloads', 'accepted_at')) AS t(parent, time_column),
  generate_series(-1, 3) AS d;

-- Waiting ----------------------------------------------------------------------------------------------------

CREATE TABLE held_events (
  event_id text NOT NULL,
  entity_index integer NOT NULL,
  run text NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  scope text NOT NULL,
  lane text NOT NULL,
  flow_name text,
  reason text NOT NULL,
  due_at timestamptz(3),
  attempts integer NOT NULL,
  tries integer NOT NULL,
  wrote boolean NOT NULL,
  last_error text,
  held_at timestamptz(3) NOT NULL DEFAULT now(),
  envelope json NOT NULL,
  PRIMARY KEY (event_id, entity_index, run)
  -- Rows come and go: what is dead must not pile up in front of a scope's head.
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2);
CREATE INDEX held_events_scope_idx ON held_events (topic, partition, scope, "offset", entity_index, run);
CREATE INDEX held_events_connector_id_reason_idx ON held_events (connector_id, reason);

CREATE TABLE held_scopes (
  topic text NOT NULL,
  partition integer NOT NULL,
  scope text NOT NULL,
  connector_id uuid NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (topic, partition, scope)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Adds to the counts in one order, so that two writers cannot wait for each other; empty scopes go.
CREATE FUNCTION sluice_count_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO held_scopes AS s (topic, partition, scope, connector_id, count)
    SELECT topic, partition, scope, min(connector_id::text)::uuid, count(*) FROM added
    GROUP BY topic, partition, scope ORDER BY topic, partition, scope
    ON CONFLICT (topic, partition, scope) DO UPDATE SET count = s.count + excluded.count;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO held_scopes AS s (topic, partition, scope, connector_id, count)
    SELECT topic, partition, scope, min(connector_id::text)::uuid, -count(*) FROM removed
    GROUP BY topic, partition, scope ORDER BY topic, partition, scope
    ON CONFLICT (topic, partition, scope) DO UPDATE SET count = s.count + excluded.count;
    DELETE FROM held_scopes s USING (SELECT DISTINCT topic, partition, scope FROM removed) r
    WHERE s.topic = r.topic AND s.partition = r.partition AND s.scope = r.scope AND s.count <= 0;
  ELSE
    INSERT INTO held_scopes AS s (topic, partition, scope, connector_id, count)
    SELECT topic, partition, scope, min(connector_id::text)::uuid, sum(n) FROM (
      SELECT topic, partition, scope, connector_id, 1 AS n FROM added
      UNION ALL SELECT topic, partition, scope, connector_id, -1 FROM removed
    ) changes
    GROUP BY topic, partition, scope HAVING sum(n) <> 0 ORDER BY topic, partition, scope
    ON CONFLICT (topic, partition, scope) DO UPDATE SET count = s.count + excluded.count;
    DELETE FROM held_scopes s USING (SELECT DISTINCT topic, partition, scope FROM removed) r
    WHERE s.topic = r.topic AND s.partition = r.partition AND s.scope = r.scope AND s.count <= 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER held_events_added AFTER INSERT ON held_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sluice_count_held();
CREATE TRIGGER held_events_removed AFTER DELETE ON held_events REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sluice_count_held();
CREATE TRIGGER held_events_moved AFTER UPDATE ON held_events REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sluice_count_held();

-- Identity ---------------------------------------------------------------------------------------------------

-- Binding epoch in force. The second key makes a rebind wait for saves that checked the old epoch.
CREATE TABLE connector_bindings (
  connector_id uuid PRIMARY KEY,
  epoch integer NOT NULL,
  UNIQUE (connector_id, epoch)
);

CREATE TABLE identity_mappings (
  connector_id uuid NOT NULL,
  entity text NOT NULL,
  external_id text NOT NULL,
  portal_id text NOT NULL,
  object_type text NOT NULL,
  crm_id text NOT NULL,
  binding_epoch integer NOT NULL,
  position_partition integer,
  position_offset bigint,
  position_accepted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, entity, external_id)
) WITH (fillfactor = 80);
CREATE INDEX identity_mappings_connector_id_object_type_crm_id_idx ON identity_mappings (connector_id, object_type, crm_id);

-- A rebind purges what older bindings left. Here, because the new epoch is in force only after the saves of the old one
-- have ended: whatever statement order the binder has, no mapping of an older epoch survives.
CREATE FUNCTION sluice_purge_mappings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM identity_mappings WHERE connector_id = NEW.connector_id AND binding_epoch <> NEW.epoch;
  RETURN NULL;
END $$;
CREATE TRIGGER connector_bindings_moved AFTER UPDATE ON connector_bindings
  FOR EACH ROW WHEN (OLD.epoch <> NEW.epoch) EXECUTE FUNCTION sluice_purge_mappings();

CREATE TABLE identity_claims (
  portal_id text NOT NULL,
  object_type text NOT NULL,
  property text NOT NULL,
  value text NOT NULL,
  connector_id uuid NOT NULL,
  unit text NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT now(),
  crm_id text,
  done_at timestamptz(3),
  PRIMARY KEY (portal_id, object_type, property, value)
);
CREATE INDEX identity_claims_done_at_idx ON identity_claims (done_at) WHERE done_at IS NOT NULL;
