/**
 * Of a row `s` of sync_events: its status allows a replay, and no other run of what it is about has completed. All runs have its
 * accept time. A row of a whole run speaks for each of its items, and an item's for the row of a whole run.
 */
export const canBeReplayed = `(s.replayable AND NOT EXISTS (SELECT 1 FROM sync_events done WHERE done.event_id = s.event_id
  AND done.entity_index = s.entity_index AND done.created_at = s.created_at AND done.status = 'completed' AND done.run <> s.run
  AND (s.item IS NULL OR done.item IS NULL OR done.item = s.item)))`;
