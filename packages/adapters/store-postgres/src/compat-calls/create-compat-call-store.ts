import type { IngressSplit } from '@sluice/contracts';
import type { CompatCall, CompatCallStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { isUuid } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import { retried } from '../transaction';

/** Calls that one statement deletes. */
const perDelete = 5_000;

const addSql = `
  INSERT INTO compat_calls (call_id, connector_id, event_type, split, request, units) VALUES ($1, $2, $3, $4, $5, $6)`;
const getSql = 'SELECT * FROM compat_calls WHERE call_id = $1 AND connector_id = $2';
const beginSql = `
  UPDATE compat_calls SET run = $3, queued = false, updated_at = clock_timestamp() WHERE call_id = $1 AND connector_id = $2`;
const queuedSql = 'UPDATE compat_calls SET queued = true WHERE call_id = $1 AND connector_id = $2 AND run = $3';
const deleteSql = `
  DELETE FROM compat_calls WHERE call_id IN (
    SELECT call_id FROM compat_calls WHERE created_at < clock_timestamp() - $1 * interval '1 millisecond' LIMIT ${perDelete})`;

/** Calls of the legacy-compatible ingress, on Postgres. */
export function createCompatCallStore(pool: Pool): CompatCallStore {
  const run = (text: string, values: unknown[]) => retried(() => pool.query(text, values));
  const isKnown = (connectorId: string, callId: string): boolean => isUuid(connectorId) && !callId.includes('\0');
  return mapStoreOutage<CompatCallStore>({
    // Not repeated: the caller does not know whether it was stored, and sends the call again.
    add: async ({ callId, connectorId, eventType, request, split, units }) => {
      await pool.query(addSql, [callId, connectorId, eventType, split, JSON.stringify(request), units]);
    },
    get: async (connectorId, callId) => {
      if (!isKnown(connectorId, callId)) return null;
      const { rows } = await run(getSql, [callId, connectorId]);
      return rows.length === 0 ? null : callOf(rows[0] as CallColumns);
    },
    begin: async (connectorId, callId, name) => {
      if (isKnown(connectorId, callId)) await run(beginSql, [callId, connectorId, name]);
    },
    queued: async (connectorId, callId, name) => {
      if (isKnown(connectorId, callId)) await run(queuedSql, [callId, connectorId, name]);
    },
    deleteOlder: async (ms) => {
      for (let deleted = 0; ;) {
        const { rowCount } = await run(deleteSql, [ms]);
        deleted += rowCount ?? 0;
        if ((rowCount ?? 0) < perDelete) return deleted;
      }
    },
  });
}

interface CallColumns {
  call_id: string;
  connector_id: string;
  event_type: string;
  split: IngressSplit;
  request: unknown;
  units: number;
  run: string;
  queued: boolean;
  created_at: Date;
  updated_at: Date;
}

const callOf = (row: CallColumns): CompatCall => ({
  callId: row.call_id,
  connectorId: row.connector_id,
  eventType: row.event_type,
  split: row.split,
  request: row.request,
  units: row.units,
  run: row.run,
  queued: row.queued,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
