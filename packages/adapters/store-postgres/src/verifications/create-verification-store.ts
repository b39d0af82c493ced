import { randomUUID } from 'node:crypto';
import { cancelVerdict } from '@sluice/contracts';
import {
  type Fence, keptForEver, noteAudit, type Retention, type Verification, type VerificationStore, verificationWorkerName,
} from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { asId, inTransaction as inPrisma, json, type Transaction } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { type KeptRows, keptRows } from '../kept-rows';
import { assertFence } from '../tasks/assert-fence';
import { addTask } from '../tasks/tasks-in-transaction';
import { inTransaction, retried } from '../transaction';
import { chooseSubjects } from './choose-subjects';
import { nextSubjects } from './next-subjects';
import { verificationOf, verifiedRowOf } from './verification-row';

/** Verifications on Postgres. What a request changes is written to the audit log in its transaction. */
export function createVerificationStore(
  pool: Pool, prisma: PrismaClient, retention: Retention = keptForEver,
): VerificationStore {
  const kept = keptRows(retention);
  const isKept = kept.isKeptJob('v');
  const query = async (sql: string, values: unknown[]) => (await retried(() => pool.query(sql, values))).rows;
  const fenced = <T>(fence: Fence, work: (client: PoolClient) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      return work(client);
    });
  const get = async (connectorId: string, id: string): Promise<Verification | null> => {
    const [row] = await query(`SELECT * FROM verifications v WHERE connector_id = $1 AND id = $2 AND ${isKept}`,
      [asId(connectorId), asId(id)]);
    return row ? verificationOf(row) : null;
  };
  return mapStoreOutage<VerificationStore>({
    get,
    create: (asked) => inPrisma(prisma, (tx) => create(tx, asked)),
    list: async (connectorId, { limit, offset }) => {
      const [rows, [counted]] = await Promise.all([
        query(listSql(isKept), [asId(connectorId), limit, offset]),
        query(`SELECT count(*)::int AS total FROM verifications v WHERE connector_id = $1 AND ${isKept}`, [asId(connectorId)]),
      ]);
      return { items: rows.map(verificationOf), total: counted.total };
    },
    rows: async (connectorId, id, { status, after, limit }) => {
      if (!(await get(connectorId, id))) return null;
      return (await query(rowsSql, [id, after, status ?? null, limit])).map(verifiedRowOf);
    },
    cancel: (connectorId, id) => inPrisma(prisma, (tx) => cancel(tx, isKept, asId(connectorId), asId(id))),
    repairedBy: async (id) => (await query(repairedBySql(kept), [asId(id)])).map(({ row_id: rowId }) => rowId as string),
    open: (id, fence) => fenced(fence, (client) => open(client, kept, asId(id))),
    next: (job, limit) => nextSubjects(pool, kept, job, limit),
    found: (id, fence, rows) => fenced(fence, (client) => found(client, id, rows)),
    finish: (id, fence, error) => fenced(fence, async (client) => void (await client.query(finishSql, [id, error]))),
    deleteOld: (olderThanMs) => inTransaction(pool, async (client) => {
      const { rows: [old] } = await client.query(oldSql, [olderThanMs]);
      if (!old) return false;
      await client.query('DELETE FROM verification_rows WHERE verification_id = $1', [old.id]);
      await client.query('DELETE FROM verifications WHERE id = $1', [old.id]);
      return true;
    }),
  });
}

const listSql = (isKept: string): string => `
  SELECT * FROM verifications v WHERE connector_id = $1 AND ${isKept} ORDER BY created_at DESC, id LIMIT $2 OFFSET $3`;
const rowsSql = `SELECT * FROM verification_rows
  WHERE verification_id = $1 AND n > $2 AND status IS NOT NULL AND ($3::text IS NULL OR status = $3) ORDER BY n LIMIT $4`;
const repairedBySql = ({ records }: KeptRows): string => `
  SELECT s.id AS row_id FROM (SELECT DISTINCT unnest(repaired_by) AS id FROM verification_rows WHERE verification_id = $1
      AND status = 'mismatched') named
    JOIN ${records} s ON s.id = named.id ORDER BY s.created_at, s.id`;
const finishSql = `UPDATE verifications SET status = CASE WHEN $2::text IS NULL THEN 'completed' ELSE 'failed' END, error = $2,
  completed_at = now() WHERE id = $1 AND status IN ('queued', 'running')`;
const oldSql = `SELECT id FROM verifications WHERE completed_at < now() - $1::float8 * interval '1 millisecond'
  LIMIT 1 FOR UPDATE SKIP LOCKED`;

async function create(
  tx: Transaction, { organizationId, connectorId, entity, subjects }: Parameters<VerificationStore['create']>[0],
): Promise<Verification> {
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  const row = await tx.verification.create({
    data: {
      id: randomUUID(), organization_id: organizationId, connector_id: connectorId, entity, request: json(subjects),
      created_at: now,
    },
  });
  await addTask(tx, { worker: verificationWorkerName, key: row.id, tenant: organizationId });
  noteAudit({ targetId: row.id });
  return verificationOf(row);
}

async function cancel(
  tx: Transaction, isKept: string, connectorId: string, id: string,
): Promise<Verification | null> {
  const [row] = await tx.$queryRawUnsafe<Parameters<typeof verificationOf>[0][]>(
    `SELECT * FROM verifications v WHERE id = $1::uuid AND connector_id = $2::uuid AND ${isKept} FOR UPDATE`, id, connectorId,
  );
  if (!row) return null;
  const before = verificationOf(row);
  if (cancelVerdict(before.status) !== 'cancel') return before;
  const data = { status: 'cancelled', completed_at: new Date() };
  return verificationOf(await tx.verification.update({ where: { id }, data }));
}

async function open(client: PoolClient, kept: KeptRows, id: string): Promise<Verification | null> {
  const { rows: [row] } = await client.query(
    `WITH before AS (SELECT id, chosen FROM verifications WHERE id = $1 AND status IN ('queued', 'running') FOR UPDATE)
     UPDATE verifications v SET status = 'running', chosen = true FROM before b WHERE v.id = b.id
     RETURNING v.*, b.chosen AS was_chosen`, [id],
  );
  if (!row) return null;
  const job = verificationOf(row);
  if (!row.was_chosen) await chooseSubjects(client, kept, job);
  return job;
}

const rowsFound = bulkRows({ n: 'integer', crm_id: 'text', status: 'text', properties: 'json', repaired_by: 'text[]' });

async function found(client: PoolClient, id: string, rows: Parameters<VerificationStore['found']>[2]): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM verifications WHERE id = $1 AND status = 'running' FOR UPDATE", [id]);
  if (rowCount === 0) return false;
  const given = bulkParameter(rows.map(({ n, crmId, status, properties, repairedBy }) => (
    { n, crm_id: crmId, status, properties: JSON.stringify(properties), repaired_by: JSON.stringify(repairedBy) }
  )));
  await client.query(
    `UPDATE verification_rows v SET crm_id = r.crm_id, status = r.status, properties = r.properties::json,
       repaired_by = ARRAY(SELECT json_array_elements_text(r.repaired_by::json)::uuid)
     FROM ${rowsFound.from} WHERE v.verification_id = $2 AND v.n = r.n`, [given, id],
  );
  const count = (of: string): number => rows.filter(({ status }) => status === of).length;
  await client.query(
    `UPDATE verifications SET checked = checked + $2, matched = matched + $3, mismatched = mismatched + $4, missing = missing + $5,
       not_verifiable = not_verifiable + $6 WHERE id = $1`,
    [id, rows.length, count('matched'), count('mismatched'), count('missing'), count('not_verifiable')],
  );
  return true;
}
