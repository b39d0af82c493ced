import { type RecordStatus, type ReplayableStatus, replayableStatuses, type ReplayJob } from '@sluice/ports';
import type { PoolClient } from 'pg';
import type { KeptRows } from '../kept-rows';
import { canBeReplayed } from '../records/replayable';

/** A row that a job looks at, with its event where the index still has it. */
export interface Candidate {
  id: string;
  event_id: string;
  entity_index: number;
  run: string;
  created_at: Date;
  status: RecordStatus;
  can_be_replayed: boolean;
  /** The job matches it: no newer row speaks for its record. */
  is_matched: boolean;
  /** The job has started it already: it has a row of the job's run. */
  is_own: boolean;
  /** A row of event_index with `payload`; null: past its retention. */
  accepted: Record<string, unknown> | null;
  /** Rows of the page, with those that its bytes left out. */
  found: number;
}

/** Written out, so that the planner sees that the index sync_events_trouble has all of them. */
const asList = (statuses: readonly ReplayableStatus[]): string =>
  replayableStatuses.filter((status) => statuses.includes(status)).map((status) => `'${status}'`).join(', ');

/**
 * A record is matched by its newest row that needs attention; one whose replay ended `superseded` since then is matched no more.
 * Rows of the job itself do not count.
 */
const isNewest = (ownRun: string): string => `(
  SELECT true FROM sync_events n WHERE n.event_id = s.event_id AND n.entity_index = s.entity_index AND n.created_at = s.created_at
    AND n.item IS NOT DISTINCT FROM s.item AND n.id <> s.id AND n.run <> ${ownRun}
    AND (n.completed_at, n.id) > (s.completed_at, s.id)
    AND (n.status IN (${asList(replayableStatuses)}) OR n.status = 'skipped' AND n.reason = 'superseded') LIMIT 1) IS NULL`;

/** Payloads of one page: what is read after they have come to so many bytes is left to the next. */
const mostBytes = 16 * 1024 * 1024;

/**
 * The next `limit` rows that a job may match, those accepted first first, and fewer when payloads are large; records that were
 * accepted after the job was made do not belong to it. What needs other rows is asked of these rows alone, by subqueries that
 * cannot become joins: the work of a page does not grow with the job, nor with the table (ADR 0380).
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
  ];
  const sql = `
    SELECT * FROM (SELECT s.id, s.event_id, s.entity_index, s.run, s.created_at, s.status, e.accepted,
      ${'ids' in job.match ? 'true' : isNewest(ownRun)} AS is_matched, ${canBeReplayed} AS can_be_replayed,
      (SELECT true FROM sync_events o WHERE o.event_id = s.event_id AND o.entity_index = s.entity_index
        AND o.created_at = s.created_at AND o.run = ${ownRun} LIMIT 1) IS NOT NULL AS is_own,
      coalesce(sum(octet_length(e.accepted ->> 'payload')) OVER (
        ORDER BY s.created_at, s.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before,
      count(*) OVER ()::int AS found
    FROM (SELECT * FROM ${records} s WHERE ${where.join(' AND ')} ORDER BY s.created_at, s.id LIMIT ${limit}) s
    LEFT JOIN LATERAL (
      SELECT to_jsonb(i) || jsonb_build_object('payload', i.payload::text) AS accepted FROM ${eventsWithPayload} i
      WHERE i.event_id = s.event_id AND i.entity_index = s.entity_index AND i.accepted_at = s.created_at
        AND i.connector_id = ${connectorId}
      ORDER BY (i.run = s.run) DESC, (i.run = 'first') DESC LIMIT 1) e ON true) page
    WHERE bytes_before < ${mostBytes} ORDER BY created_at, id`;
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
