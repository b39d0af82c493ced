import type { SourceType } from '@sluice/contracts';
import { journalWorker, type SourceActivity, sourceReadWorker, type SourceState, type SourceStore,
  sourceTaskKey } from '@sluice/ports';
import type { ConnectorSource, PrismaClient } from '../generated/client';
import { asId, inTransaction, type Reader } from '../config-client/config-client';
import { wakeTask } from '../tasks/tasks-in-transaction';
import { announce, lockConnector } from '../config-client/connector-changes';
import { timeIn } from '../config-client/database-time';

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

    requestPoll: (connectorId, name) => inTransaction(prisma, async (tx) => {
      const where = { connector_id: asId(connectorId), name, connector: { deleted_at: null } };
      const known = isName(name) ? await tx.connectorSource.findFirst({ where, include: { connector: true } }) : null;
      if (!known) return null;
      const { connector, ...source } = known;
      await tx.connectorSource.updateMany({ where, data: { poll_requested_at: await timeIn(tx, 0) } });
      // One task reads the journal for all connectors.
      const task = source.type === 'crm'
        ? { worker: journalWorker, key: '' }
        : { worker: sourceReadWorker, key: sourceTaskKey({ connectorId, name }), tenant: connector.organization_id };
      await wakeTask(tx, task);
      return sourceState(source);
    }),

    clearError: (connectorId, name) => inTransaction(prisma, async (tx) => {
      if (!isName(name) || !(await lockConnector(tx, connectorId))) return null;
      const where = { connector_id_name: { connector_id: connectorId, name } };
      if (!(await tx.connectorSource.findUnique({ where }))) return null;
      return sourceState(await tx.connectorSource.update({ where, data: { last_error: null } }));
    }),

    failing: async (limit) => {
      const rows = await prisma.connectorSource.findMany({
        where: { enabled: true, last_error: { not: null }, connector: { deleted_at: null } },
        orderBy: [{ last_poll_at: { sort: 'desc', nulls: 'last' } }, { connector_id: 'asc' }, { name: 'asc' }],
        take: limit, include: { connector: { select: { organization_id: true } } },
      });
      return rows.map(({ connector, ...row }) => ({
        connectorId: row.connector_id, organizationId: connector.organization_id, name: row.name, type: row.type as SourceType,
        lastPollAt: row.last_poll_at, lastError: row.last_error!,
      }));
    },

    note: (activities) => noteActivities(prisma, activities),

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

/** One statement for all of them, locked in one order: two instances noting the same sources must not wait for each other. */
async function noteActivities(prisma: PrismaClient, activities: readonly SourceActivity[]): Promise<void> {
  const named = activities.filter(({ name }) => isName(name)).map((one) => [`${one.connectorId}/${one.name}`, one] as const);
  const given = [...new Map(named).values()];
  if (given.length === 0) return;
  await inTransaction(prisma, (tx) => tx.$executeRaw`
    WITH told AS (
        SELECT * FROM unnest(
          ${given.map(({ connectorId }) => connectorId)}::uuid[], ${given.map(({ name }) => name)}::text[],
          ${given.map(({ lastEventAt }) => lastEventAt ?? null)}::timestamptz[],
          ${given.map(({ lastPollAt }) => lastPollAt ?? null)}::timestamptz[],
          ${given.map(({ lastError }) => lastError !== undefined)}::boolean[],
          ${given.map(({ lastError }) => lastError ?? null)}::text[]
        ) AS t (connector_id, name, event_at, poll_at, has_error, error)),
      locked AS (
        SELECT told.* FROM told JOIN connector_sources s USING (connector_id, name)
        ORDER BY connector_id, name FOR NO KEY UPDATE OF s)
    UPDATE connector_sources s SET
      last_event_at = greatest(s.last_event_at, locked.event_at), last_poll_at = greatest(s.last_poll_at, locked.poll_at),
      last_error = CASE WHEN locked.has_error THEN locked.error ELSE s.last_error END
    FROM locked WHERE s.connector_id = locked.connector_id AND s.name = locked.name`);
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
