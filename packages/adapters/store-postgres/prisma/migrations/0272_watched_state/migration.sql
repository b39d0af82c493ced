-- In which state a watched file was taken: after a restart its content is not read again to see that it is the same.
ALTER TABLE source_files ADD COLUMN watched_state text;
