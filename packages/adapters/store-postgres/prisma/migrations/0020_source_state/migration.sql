-- What a source that is read has come to: written by whoever reads it, shown by the list of sources.
ALTER TABLE connector_sources
  ADD COLUMN cursor jsonb,
  ADD COLUMN last_event_at timestamptz(3),
  ADD COLUMN last_poll_at timestamptz(3),
  ADD COLUMN last_error text;
