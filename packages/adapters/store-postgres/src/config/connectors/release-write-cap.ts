import type { ConnectorStore } from '@sluice/ports';
import { isUuid, type Transaction } from '../../config-client/config-client';
import { connectorRow, withCap } from '../config-rows';
import { announce, lockConnector } from '../../config-client/connector-changes';

/** See `ConnectorStore.releaseWriteCap`. */
export async function releaseWriteCap(
  tx: Transaction, organizationId: string, id: string,
): ReturnType<ConnectorStore['releaseWriteCap']> {
  const connector = isUuid(id) ? await lockConnector(tx, id) : null;
  if (connector?.organization_id !== organizationId) return { ok: false, reason: 'not_found' };
  const released = await tx.$executeRaw`
    UPDATE write_caps SET state = 'releasing', since = now() WHERE connector_id = ${id}::uuid AND state = 'tripped'`;
  if (released === 0) return { ok: false, reason: 'write_cap_not_tripped' };
  await announce(tx, [id]);
  return { ok: true, connector: connectorRow(await tx.connector.findUniqueOrThrow({ where: { id }, include: withCap })) };
}
