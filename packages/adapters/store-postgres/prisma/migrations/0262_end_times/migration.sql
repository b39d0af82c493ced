-- Records that ended since a time, which is no full minute. Rows are written in the order of their end, so that the smallest and
-- greatest end of a block range leave out nearly all blocks.
CREATE INDEX sync_events_completed_at ON sync_events USING brin (completed_at) WITH (pages_per_range = 32, autosummarize = on);
