/**
 * Of a row `s` of sync_events: its status allows a replay, and no run of the record has completed. All runs have its accept
 * time.
 */
export const canBeReplayed = `(s.replayable AND NOT EXISTS (SELECT 1 FROM sync_events done WHERE done.event_id = s.event_id
  AND done.entity_index = s.entity_index AND done.created_at = s.created_at AND done.status = 'completed'))`;
