import type { RecordRow, RecordStore, RecordStatus, ReplayAnswer, ReplaySource } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { asId, inTransaction, type Transaction } from '../config-client/config-client';
import type { KeptRows } from '../kept-rows';
import { acceptedOf } from './accepted-unit';
import { acceptedSql, keptPayload } from './get-record';
import { canBeReplayed } from './replayable';

/** Milliseconds: publishing is part of the transaction, and idle ones are ended after 30 s. Publishes end sooner (ADR 0027). */
const timeoutMs = 25_000;

interface Row {
  id: string;
  event_id: string;
  entity_index: number;
  run: string;
  created_at: Date;
  status: RecordStatus;
  replayable: boolean;
  can_be_replayed: boolean;
}

/** A second replay waits here until the first is committed, and then finds it under way. */
const markSql = `
  INSERT INTO record_replays AS r (event_id, entity_index, run, connector_id, accepted_at, asked_at)
  VALUES ($1, $2, $3, $4::uuid, $5, now())
  ON CONFLICT (event_id, entity_index)
    DO UPDATE SET run = excluded.run, accepted_at = excluded.accepted_at, asked_at = excluded.asked_at
  WHERE EXISTS (SELECT 1 FROM sync_events s WHERE s.event_id = r.event_id AND s.entity_index = r.entity_index AND s.run = r.run
      AND s.created_at = r.accepted_at)
    OR (r.asked_at < now() - $6::float8 * interval '1 millisecond'
      AND NOT EXISTS (SELECT 1 FROM held_events h WHERE h.event_id = r.event_id
      AND h.entity_index = r.entity_index AND h.run = r.run))
  RETURNING asked_at`;

const rowSql = ({ records }: KeptRows): string => `
  SELECT id, event_id, entity_index, run, created_at, status, replayable, ${canBeReplayed} AS can_be_replayed
  FROM ${records} s WHERE id = $1::uuid AND connector_id = $2::uuid`;

/** See `RecordStore.replay`. */
export function replayRecord<T>(
  prisma: PrismaClient, kept: KeptRows, asked: Parameters<RecordStore['replay']>[0],
  publish: (source: ReplaySource) => Promise<T>,
): Promise<ReplayAnswer<T>> {
  return inTransaction(prisma, async (tx): Promise<ReplayAnswer<T>> => {
    const row = await rowOf(tx, kept, asked);
    if (!row) return { ok: false, reason: 'not_found' };
    if (!row.replayable) return { ok: false, reason: 'not_replayable', status: row.status };
    if (row.status === 'quarantined' && !asked.force) return { ok: false, reason: 'force_required', status: row.status };
    const [mark] = await tx.$queryRawUnsafe<{ asked_at: Date }[]>(
      markSql, row.event_id, row.entity_index, asked.run, asId(asked.connectorId), row.created_at, asked.lostAfterMs,
    );
    if (!mark) return { ok: false, reason: 'not_replayable', status: 'processing' };
    // Read again: who held the mark until now may have completed.
    const again = await rowOf(tx, kept, asked);
    if (!again?.can_be_replayed) return undone({ ok: false, reason: 'not_replayable', status: 'completed' });
    const source = await sourceOf(tx, kept, asked.connectorId, row, mark.asked_at);
    if (!source) return undone({ ok: false, reason: 'gone', status: row.status });
    return { ok: true, eventId: row.event_id, value: await publish(source) };
  }, timeoutMs).catch((error: unknown) => {
    if (error instanceof Undone) return error.answer;
    throw error;
  });
}

/** Rolls the transaction back. */
class Undone extends Error {
  constructor(readonly answer: Extract<ReplayAnswer<never>, { ok: false }>) {
    super('the record is not replayed');
  }
}
function undone(answer: Undone['answer']): never {
  throw new Undone(answer);
}

async function rowOf(
  tx: Transaction, kept: KeptRows, { id, connectorId }: { id: string; connectorId: string },
): Promise<Row | undefined> {
  const rows = await tx.$queryRawUnsafe<Row[]>(rowSql(kept), asId(id), asId(connectorId));
  return rows[0];
}

async function sourceOf(
  tx: Transaction, kept: KeptRows, connectorId: string, row: Row, askedAt: Date,
): Promise<ReplaySource | null> {
  const { id, event_id: eventId, entity_index: entityIndex, run, status } = row;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
  const found = await tx.$queryRawUnsafe<any[]>(acceptedSql(kept), eventId, entityIndex, row.created_at, asId(connectorId), run);
  const payload = keptPayload(found[0]);
  const unit: RecordRow['unit'] = { eventId, entityIndex, run };
  return payload && { row: { id, unit, status }, askedAt, accepted: acceptedOf(found[0]), payload };
}
