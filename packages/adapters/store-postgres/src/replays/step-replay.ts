import { type ReplayJobStore, type ReplaySource, type ReplayStep, runOfReplayJob } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import type { KeptRows } from '../kept-rows';
import { acceptedOf } from '../records/accepted-unit';
import { keptPayload } from '../records/get-record';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction } from '../transaction';
import { type Candidate, replayCandidates } from './replay-candidates';
import { replayJobOf } from './replay-job-row';

const marks = bulkRows({ event_id: 'text', entity_index: 'integer', accepted_at: 'timestamptz' });

/** As for one record (`replay-record.ts`): another replay of a record that is under way keeps its mark. */
const markSql = `
  INSERT INTO record_replays AS r (event_id, entity_index, run, connector_id, accepted_at, asked_at)
  SELECT event_id, entity_index, $2, $3::uuid, accepted_at, now() FROM ${marks.from} ORDER BY event_id, entity_index
  ON CONFLICT (event_id, entity_index)
    DO UPDATE SET run = excluded.run, accepted_at = excluded.accepted_at, asked_at = excluded.asked_at
  WHERE r.run <> excluded.run AND (EXISTS (SELECT 1 FROM sync_events s WHERE s.event_id = r.event_id
      AND s.entity_index = r.entity_index AND s.run = r.run AND s.created_at = r.accepted_at)
    OR (r.asked_at < now() - $4::float8 * interval '1 millisecond'
      AND NOT EXISTS (SELECT 1 FROM held_events h WHERE h.event_id = r.event_id
      AND h.entity_index = r.entity_index AND h.run = r.run)))
  RETURNING event_id, entity_index, asked_at`;

const ownSql = `
  SELECT r.event_id, r.entity_index FROM record_replays r JOIN ${marks.from.replace(' AS r(', ' AS m(')}
    ON r.event_id = m.event_id AND r.entity_index = m.entity_index WHERE r.run = $2`;

const unmarkSql = `DELETE FROM record_replays r USING ${marks.from.replace(' AS r(', ' AS m(')}
  WHERE r.event_id = m.event_id AND r.entity_index = m.entity_index AND r.run = $2`;

const advanceSql = `
  UPDATE replay_jobs SET cursor_at = coalesce($2, cursor_at), cursor_id = coalesce($3::uuid, cursor_id), matched = matched + $4,
    replayed = replayed + $5, skipped = skipped + $6, failed = failed + $7 WHERE id = $1`;

const keyOf = ({ event_id: eventId, entity_index: index }: Pick<Candidate, 'event_id' | 'entity_index'>): string =>
  `${index} ${eventId}`;
const markRows = (candidates: readonly Candidate[]): string => bulkParameter(
  [...new Map(candidates.map((one) => [keyOf(one), one])).values()].map(({ event_id, entity_index, created_at }) => ({
    event_id, entity_index, accepted_at: created_at.toISOString(),
  })),
);

/** See `ReplayJobStore.step`. */
export function stepReplay(
  pool: Pool, kept: KeptRows, id: string, fence: Parameters<ReplayJobStore['step']>[1],
  { limit, lostAfterMs }: Parameters<ReplayJobStore['step']>[2], publish: Parameters<ReplayJobStore['step']>[3],
): Promise<ReplayStep | null> {
  const run = runOfReplayJob(id);
  return inTransaction(pool, async (client) => {
    await assertFence(client, fence);
    // A cancel waits for this lock, or this step finds the job cancelled: nothing begins after its answer.
    const { rows: [row] } = await client.query('SELECT * FROM replay_jobs WHERE id = $1 FOR UPDATE', [id]);
    if (row?.status !== 'running') return null;
    const job = replayJobOf(row);
    const cursor = row.cursor_at === null ? null : { at: row.cursor_at as Date, id: row.cursor_id as string };
    const rows = await replayCandidates(client, kept, job, cursor, run, limit);
    const page = rows.filter(({ is_matched: isMatched }) => isMatched);
    const may = page.filter((one) => job.repair || (one.can_be_replayed && (job.force || one.status !== 'quarantined')));
    const { sources, own, gone } = job.dryRun
      ? { sources: [], own: new Set<string>(), gone: may.filter((one) => sourceOf(one, new Date()) === null).length }
      : await mark(client, { run, connectorId: job.connectorId, lostAfterMs }, page, may);
    const lost = sources.length === 0 ? [] : (await publish(sources)).gone;
    const unstarted = may.filter(({ id: rowId }) => lost.includes(rowId));
    if (unstarted.length > 0) await client.query(unmarkSql, [markRows(unstarted), run]);
    const taken = sources.filter(({ row: { id: rowId } }) => !lost.includes(rowId));
    const started = taken.map(({ row: { unit } }) => ({ ...unit, run }));
    const startedKeys = new Set(started.map(({ eventId, entityIndex }) => `${entityIndex} ${eventId}`));
    // Two rows of one unit, items of a list, are started together.
    const replayed = page.filter((one) => one.is_own || own.has(keyOf(one)) || startedKeys.has(keyOf(one))).length;
    const failed = gone + unstarted.length;
    // A dry run tells what would be skipped; what would be started is the rest.
    const skipped = job.dryRun ? page.length - may.length : page.length - replayed - failed;
    const [last, counts] = [rows.at(-1), [page.length, replayed, skipped, failed]];
    await client.query(advanceSql, [id, last?.created_at ?? null, last?.id ?? null, ...counts]);
    return { done: rows.length < limit && rows.length === (last?.found ?? 0), matched: page.length, started };
  });
}

/** Marks what is to be started. `own`: what the job had marked before. `gone`: records without a payload. */
async function mark(
  client: PoolClient, { run, connectorId, lostAfterMs }: { run: string; connectorId: string; lostAfterMs: number },
  page: readonly Candidate[], may: readonly Candidate[],
): Promise<{ sources: ReplaySource[]; own: Set<string>; gone: number }> {
  const startable = may.filter((one) => sourceOf(one, new Date()) !== null);
  const gone = may.length - startable.length;
  if (page.length === 0) return { sources: [], own: new Set(), gone };
  const before = await client.query(ownSql, [markRows(page), run]);
  const own = new Set(before.rows.map(keyOf));
  const fresh = startable.filter((one) => !one.is_own && !own.has(keyOf(one)));
  const marked = fresh.length === 0
    ? []
    : (await client.query(markSql, [markRows(fresh), run, connectorId, lostAfterMs])).rows;
  const askedAt = new Map(marked.map((row) => [keyOf(row), row.asked_at as Date]));
  const sources = [...new Map(fresh.map((one) => [keyOf(one), one])).entries()].flatMap(([key, one]) => {
    const at = askedAt.get(key);
    return at === undefined ? [] : [sourceOf(one, at)!];
  });
  return { sources, own, gone };
}

/** null: the event or its payload is past its retention. */
function sourceOf({ id, event_id, entity_index, run, status, accepted }: Candidate, askedAt: Date): ReplaySource | null {
  if (accepted === null) return null;
  const payload = keptPayload(accepted as unknown as Parameters<typeof keptPayload>[0]);
  const row = { id, unit: { eventId: event_id, entityIndex: entity_index, run }, status };
  const dated = { ...accepted, accepted_at: new Date(accepted['accepted_at'] as string) };
  return payload && { row, askedAt, accepted: acceptedOf(dated), payload };
}
