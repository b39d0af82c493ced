import type { Retention } from '@sluice/ports';

/**
 * What answers may show, as SQL to stand behind FROM: the rows of a table that are within their retention, by the clock of the
 * database. Every read for an answer goes through them, because maintenance drops whole days, and only each hour. What decides
 * about work (whether a unit has ended, whether a replay is under way) reads the tables themselves. The database folds them into
 * the query and leaves out the days before the bound.
 */
export interface KeptRows {
  /** sync_events */
  records: string;
  /** write_conflicts */
  conflicts: string;
  /** event_index */
  events: string;
  /** event_payloads */
  payloads: string;
  /** event_index with `payload` (null where it lies elsewhere), of those units whose payloads are kept. */
  eventsWithPayload: string;
  /** The condition that a time is past the retention of the history. */
  isPast(time: string): string;
  /** The condition that a job is kept: it has not ended, or not too long ago. */
  isKeptJob(alias: string): string;
}

/** @throws Error when a retention is not a number: it becomes part of the statements */
export function keptRows({ historyS, payloadS }: Retention): KeptRows {
  const history = boundOf(historyS);
  const payload = boundOf(Math.min(payloadS, historyS));
  return {
    records: `(SELECT * FROM sync_events WHERE created_at > ${history})`,
    conflicts: `(SELECT * FROM write_conflicts WHERE created_at > ${history})`,
    events: `(SELECT * FROM event_index WHERE accepted_at > ${history})`,
    payloads: `(SELECT * FROM event_payloads WHERE accepted_at > ${payload})`,
    eventsWithPayload: `(SELECT i.*, p.payload
      FROM event_index i LEFT JOIN event_payloads p USING (event_id, entity_index, run, accepted_at)
      WHERE i.accepted_at > ${payload})`,
    isPast: (time) => `${time} <= ${history}`,
    isKeptJob: (alias) => `(${alias}.completed_at IS NULL OR ${alias}.completed_at > ${history})`,
  };
}

/** The youngest time past a retention. */
function boundOf(seconds: number): string {
  if (typeof seconds !== 'number' || Number.isNaN(seconds)) throw new Error('a retention is a number of seconds');
  return seconds === Infinity ? `'-infinity'::timestamptz` : `now() - make_interval(secs => ${seconds})`;
}
