import { type ConnectorStore, type ConnectorWidth, noteAudit } from '@sluice/ports';
import type { Connector } from '../../generated/client';
import { isUuid, type Transaction } from '../../config-client/config-client';
import { announce, lockConnector, reorder } from '../../config-client/connector-changes';
import { timeIn } from '../../config-client/database-time';

/** Raises the width of a connector, with a new ordering epoch: the runner keeps older and newer events in order (ADR 0134). */
export async function raiseWidth(
  tx: Transaction, id: string, width: number, leadMs: number,
): ReturnType<ConnectorStore['raiseWidth']> {
  const connector = isUuid(id) ? await lockConnector(tx, id) : null;
  if (!connector) return { ok: false, reason: 'not_found' };
  noteAudit({ organizationIds: [connector.organization_id] });
  if (width === connector.width) return { ok: true, width: widthOf(connector) };
  if (width < connector.width) return { ok: false, reason: 'narrower', width: widthOf(connector) };
  if (connector.width_from !== null && connector.width_from > (await timeIn(tx, 0)))
    return { ok: false, reason: 'pending', width: widthOf(connector) };
  await reorder(tx, [id]);
  const raised = await tx.connector.update({
    where: { id }, data: { width, width_before: connector.width, width_from: await timeIn(tx, leadMs) },
  });
  await announce(tx, [id]);
  return { ok: true, width: widthOf(raised) };
}

const widthOf = ({ width, width_before: before, width_from: from }: Connector): ConnectorWidth =>
  ({ width, before: before ?? width, from });
