import type { SourceType } from '@sluice/contracts';
import type { SourceState, SourceStore } from '@sluice/ports';
import type { ConnectorSource, PrismaClient } from '../generated/client';
import { asId, inTransaction, type Reader } from './config-client';
import { announce, lockConnector } from './connector-changes';

/** The states of sources. Whatever changes one announces its connector. */
export function createSourceStore(prisma: PrismaClient): SourceStore {
  return {
    list: (connectorId) => sourceStates(prisma, connectorId),

    setEnabled: (connectorId, name, enabled) => inTransaction(prisma, async (tx) => {
      if (!isName(name) || !(await lockConnector(tx, connectorId))) return null;
      const where = { connector_id_name: { connector_id: connectorId, name } };
      if (!(await tx.connectorSource.findUnique({ where }))) return null;
      const row = await tx.connectorSource.update({ where, data: { enabled } });
      await announce(tx, [connectorId]);
      return sourceState(row);
    }),

    rotate: (connectorId, name, sealed) => inTransaction(prisma, async (tx) => {
      if (!isName(name) || !(await lockConnector(tx, connectorId))) return { ok: false, reason: 'not_found' };
      const where = { connector_id_name: { connector_id: connectorId, name } };
      const known = await tx.connectorSource.findUnique({ where });
      if (known?.type !== 'webhook') return { ok: false, reason: known ? 'no_webhook' : 'not_found' };
      const row = await tx.connectorSource.update({ where, data: { sealed, rotated_at: new Date() } });
      await announce(tx, [connectorId]);
      return { ok: true, source: sourceState(row) };
    }),
  };
}

/** Postgres throws on a text with NUL; no source has such a name. */
const isName = (name: string): boolean => !name.includes('\0');

/** The states of a connector's sources, by name. */
export async function sourceStates(reader: Reader, connectorId: string): Promise<SourceState[]> {
  const where = { connector_id: asId(connectorId), connector: { deleted_at: null } };
  return (await reader.connectorSource.findMany({ where, orderBy: { name: 'asc' } })).map(sourceState);
}

const sourceState = (row: ConnectorSource): SourceState => ({
  name: row.name,
  type: row.type as SourceType,
  enabled: row.enabled,
  sealed: row.sealed,
  rotatedAt: row.rotated_at,
  cursor: row.cursor,
  lastEventAt: row.last_event_at,
  lastPollAt: row.last_poll_at,
  lastError: row.last_error,
});
