import type { ingestRoutes } from '@sluice/contracts';
import type { EventView, FailureCode, HeldReason, RecordRow, UnitKey } from '@sluice/ports';

type EventStatus = ingestRoutes.EventStatus;

/** What is shown of an event. */
export type ShownEvent = Omit<EventView, 'forgotten'>;

/** What decides an event's status beside the stored view. */
export interface StatusFacts {
  /** Milliseconds since the epoch. */
  now: number;
  /** Latest time at which the event can have been accepted, from its id: used while the index has no row of it. */
  acceptedBy: number;
  /** SLUICE_STUCK_AFTER in milliseconds. */
  stuckAfterMs: number;
  /** SLUICE_EVENT_TTL in milliseconds: what waits for longer never runs. */
  eventTtlMs: number;
  /** Why the connector starts no event now; null when it does. */
  stopped: Extract<HeldReason, 'paused' | 'organization_stopped' | 'write_cap'> | null;
}

/** An event as `GET .../status` answers it, without its id and hint. */
export interface EventProgress {
  status: EventStatus;
  /** null while the index has no row of the event. */
  total: number | null;
  done: number;
  /** The rows of each record's newest run, in the order of the request. */
  rows: RecordRow[];
  held: HeldState | null;
}

/** Why and until when an event waits, and what its last attempt said. */
export interface HeldState {
  reason: HeldReason;
  until: string | null;
  error: string | null;
  error_code: FailureCode | null;
}

/** Statuses of a record that did not arrive. */
const failures: ReadonlySet<RecordRow['status']> = new Set(['failed', 'parked', 'quarantined', 'dlq']);
const drainReasons: ReadonlySet<RecordRow['reason']> = new Set(['expired', 'connector_deleted']);

/** Status of an event from its index entry, record rows and held units (docs/reference/events.md, Status of an event). Pure. */
export function eventProgress(view: ShownEvent, facts: StatusFacts): EventProgress {
  const byEntity = newestRuns(view.rows);
  const rows = [...byEntity.values()].flat();
  const isEnded = ({ unit }: { unit: UnitKey }): boolean =>
    view.rows.some((row) => row.unit.entityIndex === unit.entityIndex && row.unit.run === unit.run);
  const waiting = view.held.filter((held) => !isEnded(held));
  // A replay that shows no sign for so long may be lost: the outcome before it counts again.
  const replays = view.replays.filter((replay) => !isEnded(replay) && facts.now - replay.askedAt <= facts.stuckAfterMs);
  const again = new Set([...waiting, ...replays].map(({ unit }) => unit.entityIndex));
  const done = [...byEntity.keys()].filter((entity) => !again.has(entity)).length;
  const total = view.index?.entitiesTotal ?? null;
  const progress = { total, done, rows };
  if (again.size === 0 && total !== null && done >= total) return { ...progress, status: finalStatus(rows), held: null };
  const since = Math.max(
    view.index ? Date.parse(view.index.acceptedAt) : facts.acceptedBy, ...replays.map(({ askedAt }) => askedAt),
  );
  // An expired event whose connector is stopped is not ended by a runner yet, but counts as expired. The time of a replay counts
  // from its request.
  const waits = facts.stopped !== null || waiting.length > 0;
  if (waits && !waiting.some(({ unit }) => unit.run !== 'first') && facts.now - since >= facts.eventTtlMs)
    return { ...progress, status: finalStatus([...rows, { status: 'dlq', reason: 'expired' }]), held: null };
  // A stopped connector comes before every other reason to wait: none of its events runs.
  if (facts.stopped) {
    const { error, error_code } = waiting.length > 0 ? firstToRun(waiting) : { error: null, error_code: null };
    return { ...progress, status: 'pending', held: { reason: facts.stopped, until: null, error, error_code } };
  }
  if (waiting.length > 0) return { ...progress, status: 'pending', held: firstToRun(waiting) };
  const stuck = done === 0 && facts.now - since > facts.stuckAfterMs;
  return { ...progress, status: stuck ? 'delayed' : 'processing', held: null };
}

/** The status of a finished event from the outcomes of its records. */
function finalStatus(rows: readonly Pick<RecordRow, 'status' | 'reason'>[]): EventStatus {
  const failed = rows.filter(({ status }) => failures.has(status));
  if (rows.every(({ status, reason }) => status === 'dlq' && drainReasons.has(reason))) return 'drained';
  if (failed.length === rows.length) return 'failed';
  if (failed.length > 0 || rows.some(({ status }) => status === 'partial_success')) return 'partial_failure';
  return rows.every(({ status }) => status === 'skipped') ? 'skipped' : 'completed';
}

/** The rows of the run that ended last, per entity: a finished replay replaces the earlier run. */
function newestRuns(rows: readonly RecordRow[]): Map<number, RecordRow[]> {
  const ended = new Map<string, number>();
  const keyOf = ({ unit }: RecordRow): string => `${unit.entityIndex}/${unit.run}`;
  for (const row of rows) ended.set(keyOf(row), Math.max(ended.get(keyOf(row)) ?? 0, Date.parse(row.completedAt)));
  const newest = new Map<number, string>();
  for (const row of rows) {
    const other = newest.get(row.unit.entityIndex);
    if (other === undefined || (ended.get(keyOf(row)) ?? 0) > (ended.get(other) ?? 0))
      newest.set(row.unit.entityIndex, keyOf(row));
  }
  const chosen = new Map<number, RecordRow[]>();
  for (const entity of [...newest.keys()].sort((a, b) => a - b))
    chosen.set(
      entity,
      rows.filter((row) => keyOf(row) === newest.get(entity)),
    );
  return chosen;
}

/** The held unit that is due first; those that wait for a change of state come last. */
function firstToRun(held: EventView['held']): HeldState {
  const first = held.reduce((a, b) => ((b.dueAt ?? Infinity) < (a.dueAt ?? Infinity) ? b : a));
  const { reason, dueAt, error, errorCode } = first;
  return { reason, until: dueAt === null ? null : new Date(dueAt).toISOString(), error, error_code: errorCode };
}
