import { randomUUID } from 'node:crypto';
import { exportWorker, type ExportStore, type NewDataExport, noteAudit } from '@sluice/ports';
import { asId, type Transaction } from '../config-client/config-client';
import { lockOrganization } from '../config-client/connector-changes';
import { addTask } from '../tasks/tasks-in-transaction';
import { exportColumns, exportOf } from './export-row';

/** The organization is locked, so that the bounds hold for requests at the same moment. */
export async function requestExport(tx: Transaction, asked: NewDataExport): ReturnType<ExportStore['request']> {
  const organizationId = asId(asked.organizationId);
  const connectorId = asked.connectorId === null ? null : asId(asked.connectorId);
  await lockOrganization(tx, organizationId);
  if (connectorId !== null && !(await isConnector(tx, organizationId, connectorId)))
    return { ok: false, reason: 'connector_not_found' };
  const open = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM data_exports WHERE organization_id = ${organizationId}::uuid AND status IN ('queued', 'running')
      AND connector_id IS NOT DISTINCT FROM ${connectorId}::uuid`;
  if (open[0]) return { ok: false, reason: 'in_progress', exportId: open[0].id };
  const { most, withinMs } = asked.limit;
  const [{ count }] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM data_exports WHERE organization_id = ${organizationId}::uuid
      AND created_at > now() - ${withinMs}::float8 * interval '1 millisecond'`;
  if (count >= most) return { ok: false, reason: 'limit_reached' };
  const id = randomUUID();
  const rows = await tx.$queryRawUnsafe<unknown[]>(
    `INSERT INTO data_exports AS e (id, organization_id, connector_id, requested_by)
     VALUES ($1::uuid, $2::uuid, $3::uuid, $4) RETURNING ${exportColumns}`,
    id, organizationId, connectorId, asked.requestedBy,
  );
  await addTask(tx, { worker: exportWorker, key: id, tenant: organizationId });
  noteAudit({ targetId: id });
  return { ok: true, export: exportOf(rows[0]) };
}

async function isConnector(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
  return (await tx.connector.count({ where: { id, organization_id: organizationId, deleted_at: null } })) > 0;
}
