import type { ClaimAnswer, ClaimKey, ClaimOptions } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, storable } from '../bulk-rows';
import { retried } from '../transaction';
import { claimColumns } from './settle/settle-claims';

const columns = { portal_id: 'text', object_type: 'text', property: 'text', value: 'text' } as const;
const taken = bulkRows({ asked: 'integer', ...columns, connector_id: 'uuid', unit: 'text' });

/** In key order, so that two callers cannot deadlock. Of equal keys the first one gets the claim. */
const takeSql = `
  WITH r AS (SELECT * FROM ${taken.from}),
  won AS (
    INSERT INTO identity_claims (portal_id, object_type, property, value, connector_id, unit, claimed_at)
    SELECT portal_id, object_type, property, value, connector_id, unit, clock_timestamp() FROM r ORDER BY portal_id, object_type,
    property, value, asked
    ON CONFLICT DO NOTHING RETURNING portal_id, object_type, property, value
  )
  SELECT min(r.asked) AS asked FROM r JOIN won USING (portal_id, object_type, property, value) GROUP BY portal_id, object_type,
  property, value`;

const abandoned = `c.crm_id IS NULL AND c.unit <> r.unit AND c.claimed_at <= clock_timestamp() - $2 * interval '1 millisecond'`;

const readSql = `
  SELECT r.asked, c.unit, c.crm_id, extract(epoch FROM clock_timestamp() - c.claimed_at)::float8 * 1000 AS age_ms,
    extract(epoch FROM c.claimed_at)::float8 * 1000 AS claimed_at_ms, ${abandoned} AS abandoned
  FROM ${taken.from} JOIN identity_claims c USING (portal_id, object_type, property, value)`;

/**
 * Checks and takes over in one statement: a caller that waited for another's take-over then finds a recent claim, and takes
 * nothing. Of equal keys the first that may takes it over. Run only when needed, so that a claim which is not abandoned costs no
 * row lock.
 */
const takeOverSql = `
  UPDATE identity_claims c SET connector_id = r.connector_id, unit = r.unit, claimed_at = clock_timestamp()
  FROM (
    SELECT DISTINCT ON (portal_id, object_type, property, value) * FROM ${taken.from} ORDER BY portal_id, object_type, property,
    value, asked
  ) r
  WHERE c.portal_id = r.portal_id AND c.object_type = r.object_type AND c.property = r.property AND c.value = r.value AND ${abandoned}
  RETURNING r.asked`;

/** How often claims are tried again that were released or taken over by another between the statements. */
const maxRounds = 5;

/** Takes claims before creates, so that one identity is created once (ADR 0007). Returns one answer per claim. */
export async function claim(
  pool: Pool,
  claims: readonly ClaimKey[],
  claimant: readonly { connectorId: string; unit: string }[],
  { abandonedAfterMs }: ClaimOptions,
): Promise<ClaimAnswer[]> {
  const answers: ClaimAnswer[] = new Array(claims.length);
  let open = claims.map((_, asked) => asked);
  for (let round = 1; open.length > 0; round += 1) {
    const rows = open.map((asked) => ({
      asked,
      connector_id: claimant[asked]!.connectorId,
      unit: claimant[asked]!.unit,
      ...claimColumns(claims[asked]!),
    }));
    for (const asked of await take(pool, rows)) answers[asked] = { state: 'granted' };
    const rest = rows.filter(({ asked }) => !answers[asked]);
    const left = new Set<number>();
    for (const row of await read(pool, rest, abandonedAfterMs)) {
      if (row.abandoned) left.add(row.asked);
      else answers[row.asked] = answerOf(row, claimant[row.asked]!.unit);
    }
    for (const asked of await takeOver(
      pool,
      rest.filter((row) => left.has(row.asked)),
      abandonedAfterMs,
    ))
      answers[asked] = { state: 'taken_over' };
    open = open.filter((asked) => !answers[asked]);
    if (round === maxRounds) for (const asked of open) answers[asked] = { state: 'pending' };
    if (round === maxRounds) break;
  }
  return answers;
}

interface ClaimRow {
  asked: number;
  unit: string;
  crm_id: string | null;
  age_ms: number;
  claimed_at_ms: number;
  abandoned: boolean;
}

async function take(pool: Pool, rows: BulkRow[]): Promise<number[]> {
  const won = await retried(() =>
    pool.query<{ asked: number }>({ name: 'take-claims', text: takeSql, values: [bulkParameter(rows)] }),
  );
  return won.rows.map(({ asked }) => asked);
}

async function read(pool: Pool, rows: BulkRow[], abandonedAfterMs: number): Promise<ClaimRow[]> {
  if (rows.length === 0) return [];
  const found = await retried(() =>
    pool.query<ClaimRow>({ name: 'read-claims', text: readSql, values: [bulkParameter(rows), abandonedAfterMs] }),
  );
  return found.rows;
}

async function takeOver(pool: Pool, rows: BulkRow[], abandonedAfterMs: number): Promise<number[]> {
  if (rows.length === 0) return [];
  const won = await retried(() =>
    pool.query<{ asked: number }>({
      name: 'take-over-claims',
      text: takeOverSql,
      values: [bulkParameter(rows), abandonedAfterMs],
    }),
  );
  return won.rows.map(({ asked }) => asked);
}

function answerOf(row: ClaimRow, unit: string): ClaimAnswer {
  if (row.crm_id !== null) return { state: 'done', crmId: row.crm_id };
  return row.unit === storable(unit) ? { state: 'own', ageMs: row.age_ms, claimedAt: row.claimed_at_ms } : { state: 'pending' };
}
