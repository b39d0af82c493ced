import type { ServiceRequest, ServiceRequestStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { isUuid } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import { retried } from '../transaction';

const addSql = 'INSERT INTO service_requests (id, kind, body) VALUES ($1, $2, $3)';
const openSql = 'SELECT id, kind, body FROM service_requests WHERE id = $1 AND answer IS NULL';
const answerSql = 'UPDATE service_requests SET answer = $2 WHERE id = $1 AND answer IS NULL';
const takeSql = 'DELETE FROM service_requests WHERE id = $1 AND answer IS NOT NULL RETURNING answer';
const removeSql = 'DELETE FROM service_requests WHERE id = $1';
const deleteOlderSql = `DELETE FROM service_requests WHERE asked_at < clock_timestamp() - $1 * interval '1 millisecond'`;

/** Requests between services, on the table service_requests. */
export function createServiceRequestStore(pool: Pool): ServiceRequestStore {
  return mapStoreOutage<ServiceRequestStore>({
    add: async ({ id, kind, body }) => void (await pool.query(addSql, [id, kind, JSON.stringify(body)])),
    open: async (id) => {
      if (!isUuid(id)) return null;
      const { rows } = await retried(() => pool.query<ServiceRequest>(openSql, [id]));
      return rows[0] ?? null;
    },
    answer: async (id, answer) => {
      if (!isUuid(id)) return false;
      return (await pool.query(answerSql, [id, JSON.stringify(answer)])).rowCount === 1;
    },
    take: async (id) => {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<{ answer: unknown }>(takeSql, [id]);
      return rows[0] ? { answer: rows[0].answer } : null;
    },
    remove: async (id) => void (await retried(() => pool.query(removeSql, [id]))),
    deleteOlder: async (ms) => (await retried(() => pool.query(deleteOlderSql, [ms]))).rowCount ?? 0,
  });
}
