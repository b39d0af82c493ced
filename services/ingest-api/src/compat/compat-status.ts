import type { CompatCall, RecordRow } from '@sluice/ports';
import { eventProgress, type ShownEvent, type StatusFacts } from '../status/event-status';
import { isObject } from '../sources/compiled-ingress';

export type CompatCallStatus = 'InQueue' | 'InProgress' | 'Error' | 'Complete';

/** An error of a call, of one record where it says which. */
export interface CompatCallError {
  error?: string;
  externalObjectId?: string;
}

export interface CompatProgress {
  callStatus: CompatCallStatus;
  /** At most 500; one empty entry when there is none. */
  callError: CompatCallError[];
  /** When a record of it last ended; null: none has. */
  endedAt: Date | null;
}

export interface CompatStatusFacts extends Omit<StatusFacts, 'acceptedBy'> {
  /** SLUICE_COMPAT_STUCK_AFTER in milliseconds. */
  compatStuckAfterMs: number;
}

const maxErrors = 500;

type UnitState = 'queued' | 'running' | 'done' | 'error';

/** What has become of the records of a call in its newest run, and in later replays of single records. Pure. */
export function compatProgress(call: CompatCall, view: ShownEvent, facts: CompatStatusFacts): CompatProgress {
  const newest = newestOf(call, view);
  const isLate = facts.now - call.updatedAt.getTime() > facts.compatStuckAfterMs;
  const states: UnitState[] = [];
  const callError: CompatCallError[] = [];
  for (let index = 0; index < call.units; index += 1) {
    const { state, rows } = stateOf(unitView(newest, index), call, facts);
    const isStuck = isLate && (state === 'queued' || state === 'running');
    states.push(isStuck ? 'error' : state);
    if (isStuck) callError.push({ error: 'Not processed in time', ...idOf(call, index) });
    else callError.push(...rows.flatMap((row) => errorOf(row) ?? []));
  }
  const ends = newest.rows.map(({ completedAt }) => Date.parse(completedAt));
  return {
    callStatus: statusOf(states),
    callError: callError.length === 0 ? [{}] : callError.slice(0, maxErrors),
    endedAt: ends.length === 0 ? null : new Date(Math.max(...ends)),
  };
}

/** The outcomes of the newest run, and of replays that ended after it began: an earlier run says nothing any more. */
function newestOf({ run, updatedAt }: CompatCall, view: ShownEvent): ShownEvent {
  const counts = (name: string): boolean => name === run || (name !== 'first' && !name.startsWith('resend-'));
  return {
    index: view.index,
    rows: view.rows.filter(
      (row) => counts(row.unit.run) && (row.unit.run === run || Date.parse(row.completedAt) >= updatedAt.getTime()),
    ),
    held: view.held.filter(({ unit }) => counts(unit.run)),
    replays: view.replays.filter(({ askedAt }) => askedAt >= updatedAt.getTime()),
  };
}

/** One record as an event of its own. */
function unitView({ held, index, rows, replays }: ShownEvent, at: number): ShownEvent {
  return {
    index: index && { ...index, entitiesTotal: 1 },
    rows: rows.filter(({ unit }) => unit.entityIndex === at),
    held: held.filter(({ unit }) => unit.entityIndex === at),
    replays: replays.filter(({ unit }) => unit.entityIndex === at),
  };
}

function stateOf(view: ShownEvent, call: CompatCall, facts: CompatStatusFacts): { state: UnitState; rows: readonly RecordRow[] } {
  const { status, rows } = eventProgress(view, { ...facts, acceptedBy: call.updatedAt.getTime() });
  switch (status) {
    case 'pending':
      return { state: 'queued', rows };
    case 'processing':
    case 'delayed':
      // What could not be queued waits for a resend.
      return { state: call.queued || view.index !== null ? 'running' : 'queued', rows };
    case 'completed':
    case 'skipped':
      return { state: 'done', rows };
    default:
      return { state: 'error', rows };
  }
}

function statusOf(states: readonly UnitState[]): CompatCallStatus {
  if (states.every((state) => state === 'queued')) return 'InQueue';
  if (states.some((state) => state === 'queued' || state === 'running')) return 'InProgress';
  return states.includes('error') ? 'Error' : 'Complete';
}

const failures: ReadonlySet<RecordRow['status']> = new Set(['failed', 'parked', 'partial_success', 'dlq', 'quarantined']);

function errorOf({ error, externalId, reason, status }: RecordRow): CompatCallError | null {
  if (!failures.has(status)) return null;
  return { error: error ?? reason ?? status, ...(externalId !== null && { externalObjectId: externalId }) };
}

/** The id of an item as its sender wrote it. */
function idOf({ request }: CompatCall, index: number): Pick<CompatCallError, 'externalObjectId'> {
  const items: unknown = isObject(request) ? request.entities : undefined;
  const item: unknown = Array.isArray(items) ? items[index] : undefined;
  const id = isObject(item) ? item.externalObjectId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? { externalObjectId: String(id) } : {};
}
