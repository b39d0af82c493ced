-- What was written of a record: an entry of 20 instead of 80 bytes, so that records that are written one after the other meet in
-- fewer pages (docs/adr/0410-ids-of-outcome-rows-begin-with-their-time.md). Seeded by the connector, because many count from 1.
DROP INDEX sync_events_landed;
CREATE INDEX sync_events_landed ON sync_events (hashtextextended(external_id, uuid_hash_extended(connector_id, 0)))
  WHERE status IN ('completed', 'partial_success') AND external_id IS NOT NULL;
