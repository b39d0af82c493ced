-- Which element of a bulk step a row is about, as `<step id>/<place>`; null: the row is about the event's record itself.
ALTER TABLE sync_events ADD COLUMN item text;

-- The elements of bulk steps that ended in earlier attempts of an event that waits: they are not written again.
ALTER TABLE held_events ADD COLUMN ended_items json;
