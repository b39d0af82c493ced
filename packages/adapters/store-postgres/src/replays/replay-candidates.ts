import { type RecordStatus, type ReplayableStatus, replayableStatuses, type ReplayJob } from '@sluice/ports';
import type { PoolClient } from 'pg';
import type { KeptRows } from '../kept-rows';
import { canBeReplayed } from '../records/replayable';

/** A record that a job looks at, with its event where the index still has it. */
export interface Candidate {
  id: string;
  event_id: string;
  entity_index: number;
  run: string;
  created_at: Date;
  status: RecordStatus;
  can_be_replayed: boolean;
  /** The job has started it already: it has a row of the job's run. */
  is_own: boolean;
  /** A row of event_index with `payload`; null: past its retention. */
  accepted: Record<string, unknown> | null;
}

/** Written out, so that the planner sees that the index sync_events_trouble has all of them. */
const asList = (statuses: readonly ReplayableStatus[]): string =>
  replayableStatuses.filter((status) => statuses.includes(status)).map((status) => `'${status}'`).join(', ');

/**
 * A record is matched by its newest row that needs attention; one whose replay ended `superseded` since then is matched no more.
 * Rows of the job itself do not count.
 */
const isNewest = (ownRun: string): string => `NOT EXISTS (
  SELECT FROM sync_events n WHERE n.event_id = s.event_id AND n.entity_index = s.entity_index AND n.created_at = s.created_at
    AND n.item IS NOT DISTINCT FROM s.item AND n.id <> s.id AND n.run <> ${ownRun}
    AND (n.completed_at, n.id) > (s.completed_at, s.id)
    AND (n.status IN (${asList(replayableStatuses)}) OR n.status = 'skipped' AND n.reason = 'superseded'))`;

/**
 * The next records of a job, those accepted first first; records that were accepted after the job was made do not belong to it.
 */
export async function replayCandidates(
  client: PoolClient, { records, eventsWithPayload }: KeptRows, job: ReplayJob, cursor: { at: Date; id: string } | null,
  run: string, limit: number,
): Promise<Candidate[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const [connectorId, ownRun] = [bind(job.connectorId), bind(run)];
  const where = [
    `s.connector_id = ${connectorId}`, `s.created_at <= ${bind(job.createdAt)}::timestamptz`, `s.run <> ${ownRun}`,
    ...matchOf(job, bind),
    ...(cursor === null ? [] : [`(s.created_at, s.id) > (${bind(cursor.at)}::timestamptz, ${bind(cursor.id)}::uuid)`]),
    ...('ids' in job.match ? [] : [isNewest(ownRun)]),
  ];
  const sql = `
    SELECT page.*, e.accepted FROM (
      SELECT s.id, s.event_id, s.entity_index, s.run, s.created_at, s.status, ${canBeReplayed} AS can_be_replayed,
        EXISTS (SELECT FROM sync_events o WHERE o.event_id = s.event_id AND o.entity_index = s.entity_index
          AND o.created_at = s.created_at AND o.run = ${ownRun}) AS is_own
      FROM ${records} s WHERE ${where.join(' AND ')} ORDER BY s.created_at, s.id LIMIT ${limit}) page
    LEFT JOIN LATERAL (
      SELECT to_jsonb(i) || jsonb_build_object('payload', i.payload::text) AS accepted FROM ${eventsWithPayload} i
      WHERE i.event_id = page.event_id AND i.entity_index = page.entity_index AND i.accepted_at = page.created_at
        AND i.connector_id = ${connectorId}
      ORDER BY (i.run = page.run) DESC, (i.run = 'first') DESC LIMIT 1) e ON true
    ORDER BY page.created_at, page.id`;
  return (await client.query<Candidate>(sql, values)).rows;
}

function matchOf({ match, force }: ReplayJob, bind: (value: unknown) => string): string[] {
  if ('ids' in match) return [`s.id = ANY(${bind(match.ids)}::uuid[])`];
  const { status, flow, entity, externalIds, since, until } = match.filter;
  const usual = replayableStatuses.filter((one) => force || one !== 'quarantined');
  return [
    `s.status IN (${asList(status ?? usual)})`,
    ...(flow === undefined ? [] : [`s.flow_name = ${bind(flow)}`]),
    ...(entity === undefined ? [] : [`s.entity_name = ${bind(entity)}`]),
    ...(externalIds === undefined ? [] : [`s.external_id = ANY(${bind(externalIds)}::text[])`]),
    ...(since === undefined ? [] : [`s.created_at >= ${bind(since)}::timestamptz`]),
    ...(until === undefined ? [] : [`s.created_at < ${bind(until)}::timestamptz`]),
  ];
}
