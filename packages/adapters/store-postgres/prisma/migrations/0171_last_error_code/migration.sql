-- The code of the last failure of an event that waits, beside its text.
ALTER TABLE held_events ADD COLUMN last_error_code text;
