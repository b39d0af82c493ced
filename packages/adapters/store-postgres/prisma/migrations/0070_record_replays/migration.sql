-- What a replay needs of an accepted event beside its index row; null where it says the usual.
ALTER TABLE event_index
  ADD COLUMN payload_bytes integer,
  ADD COLUMN source_type text,
  ADD COLUMN business_time text,
  ADD COLUMN store_id text,
  ADD COLUMN ordering_epoch integer;

-- The newest replay of a record: a second one is not made while it is under way.
CREATE TABLE record_replays (
  event_id text NOT NULL,
  entity_index integer NOT NULL,
  run text NOT NULL,
  connector_id uuid NOT NULL,
  accepted_at timestamptz(3) NOT NULL,
  asked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (event_id, entity_index)
);
CREATE INDEX record_replays_accepted_at_idx ON record_replays (accepted_at);
