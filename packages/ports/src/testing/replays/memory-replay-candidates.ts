import type { IndexRow } from '../../records/event-index';
import type { ReplaySource } from '../../records/record-store';
import { replayableStatuses, type ReplayFilter, type ReplayJob } from '../../records/replay-job-store';
import type { RecordRow } from '../../run-store/run-store';
import { type UnitKey, unitKeyText } from '../../run-store/unit-key';
import type { MemoryRunStore } from '../run-store/memory-run-store';

/** The row that a job looked at last. */
export interface Cursor {
  at: string;
  id: string;
}

/** A run of a record that was started. `askedAt`: milliseconds since the epoch. */
export interface ReplayMark {
  unit: UnitKey;
  acceptedAt: string;
  askedAt: number;
}

const isReplayable = (status: RecordRow['status']): boolean => (replayableStatuses as readonly string[]).includes(status);
const ofOneRecord = (one: RecordRow, other: RecordRow): boolean => one.createdAt === other.createdAt
  && one.unit.eventId === other.unit.eventId && one.unit.entityIndex === other.unit.entityIndex;
const compare = (one: Cursor, other: Cursor): number =>
  Date.parse(one.at) - Date.parse(other.at) || (one.id < other.id ? -1 : Number(one.id > other.id));
const placeOf = ({ createdAt: at, id }: RecordRow): Cursor => ({ at, id });

/** The rows that a job matches behind its cursor, those accepted first first. */
export function candidatesOf(rows: readonly RecordRow[], job: ReplayJob, run: string, cursor: Cursor | null): RecordRow[] {
  const others = rows.filter(({ unit }) => unit.run !== run);
  const isMeant = (row: RecordRow): boolean =>
    row.connectorId === job.connectorId && Date.parse(row.createdAt) <= job.createdAt.getTime()
    && (cursor === null || compare(placeOf(row), cursor) > 0)
    && ('ids' in job.match ? job.match.ids.includes(row.id) : passes(row, job.match.filter, job.force) && isNewest(others, row));
  return others.filter(isMeant).sort((one, other) => compare(placeOf(one), placeOf(other)));
}

/** A record is matched by its newest row that needs attention; one whose replay ended `superseded` since is matched no more. */
function isNewest(rows: readonly RecordRow[], row: RecordRow): boolean {
  const ended = ({ completedAt: at, id }: RecordRow): Cursor => ({ at, id });
  const counts = ({ status, reason }: RecordRow): boolean =>
    isReplayable(status) || (status === 'skipped' && reason === 'superseded');
  return !rows.some((other) =>
    other.id !== row.id && ofOneRecord(other, row) && other.item === row.item && counts(other)
      && compare(ended(other), ended(row)) > 0);
}

function passes(row: RecordRow, { status, flow, entity, externalIds, since, until }: ReplayFilter, force: boolean): boolean {
  const statuses: readonly string[] = status ?? replayableStatuses.filter((one) => force || one !== 'quarantined');
  const at = Date.parse(row.createdAt);
  return statuses.includes(row.status) && (flow ?? row.flowName) === row.flowName && (entity ?? row.entityName) === row.entityName
    && (externalIds === undefined || externalIds.includes(row.externalId ?? ''))
    && (since === undefined || at >= Date.parse(since)) && (until === undefined || at < Date.parse(until));
}

/** The status of a row allows a replay, and no other run of what it is about has completed. */
export function mayBeStarted(rows: readonly RecordRow[], row: RecordRow, force: boolean): boolean {
  const isSame = ({ item }: RecordRow): boolean => row.item === undefined || item === undefined || item === row.item;
  const hasSucceeded = rows.some((other) =>
    ofOneRecord(other, row) && other.status === 'completed' && other.unit.run !== row.unit.run && isSame(other));
  return row.replayable && !hasSucceeded && (force || row.status !== 'quarantined');
}

/**
 * Whether another run of a record may be started: its last one has ended or counts as lost.
 * @param lostBefore asked for before this time and not held, it counts as lost
 */
export function mayBeMarked(
  mark: ReplayMark | undefined, { rows, held }: Pick<MemoryRunStore, 'rows' | 'held'>, lostBefore: number,
): boolean {
  if (mark === undefined) return true;
  const text = unitKeyText(mark.unit);
  if (rows().some(({ unit, createdAt }) => unitKeyText(unit) === text && createdAt === mark.acceptedAt)) return true;
  return mark.askedAt < lostBefore && !held().some(({ unit }) => unitKeyText(unit) === text);
}

/** The event of a row, as a replay needs it; null: it or its payload is not kept. */
export function sourceOf(entries: readonly IndexRow[], row: RecordRow, askedAt: Date): ReplaySource | null {
  const { id, unit, status, connectorId, createdAt } = row;
  const found = entries.filter((entry) => entry.eventId === unit.eventId && entry.entityIndex === unit.entityIndex
    && entry.acceptedAt === createdAt && entry.connectorId === connectorId);
  const entry = found.find(({ run }) => run === unit.run) ?? found.find(({ run }) => run === 'first') ?? found[0];
  if (!entry) return null;
  const { payload: bytes, payloadRef: key, payloadBytes } = entry;
  const payload = bytes !== null ? { text: bytes.toString('utf8') } : key === null ? null : { ref: { key, bytes: payloadBytes } };
  return payload && { row: { id, unit, status }, askedAt, accepted: acceptedOf(entry), payload };
}

const acceptedOf = (entry: IndexRow): ReplaySource['accepted'] => ({
  eventId: entry.eventId, entityIndex: entry.entityIndex, entitiesTotal: entry.entitiesTotal, sourceName: entry.sourceName,
  sourceType: entry.sourceType, eventType: entry.eventType, externalId: entry.externalId, lane: entry.lane,
  acceptedAt: entry.acceptedAt, timestamp: entry.timestamp, storeId: entry.storeId, orderingEpoch: entry.orderingEpoch ?? 0,
  importRow: entry.importRow,
});
