/**
 * How long what belongs to an event is read, in seconds since the event was accepted, by the clock of the store. Deletion comes
 * later: whole days at once (`EventIndex.maintain`).
 */
export interface Retention {
  /** SLUICE_HISTORY_RETENTION: outcomes, the event index, conflicts, ended jobs. */
  historyS: number;
  /** SLUICE_PAYLOAD_RETENTION. A payload is read no longer than its event. */
  payloadS: number;
}

/** Whatever is stored is read. */
export const keptForEver: Retention = { historyS: Infinity, payloadS: Infinity };
