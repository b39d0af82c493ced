-- Counts the changes of what decides a connector's lanes; events carry the count under which they were accepted (ADR 0032).
ALTER TABLE connectors ADD COLUMN ordering_epoch integer NOT NULL DEFAULT 0;
ALTER TABLE held_events ADD COLUMN ordering_epoch integer NOT NULL DEFAULT 0;
CREATE INDEX held_events_ordering_idx ON held_events (connector_id, topic, partition, ordering_epoch, "offset");
