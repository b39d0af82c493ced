-- What the attempts of an event that waits left of their steps: items that ended, steps that wrote, outputs (docs/reference/events.md).
-- ended_items stays for versions that still run beside this one.
ALTER TABLE held_events ADD COLUMN kept_steps json;
