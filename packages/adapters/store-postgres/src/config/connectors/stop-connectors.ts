import type { Transaction } from '../../config-client/config-client';
import { announce } from '../../config-client/connector-changes';

/**
 * Sets the connectors that act by a credential to `error`: the CRM refuses it for good, and only a new authorization helps. Their
 * events are held until somebody sets them active again.
 */
export async function stopConnectors(tx: Transaction, credentialId: string): Promise<void> {
  const where = { binding_credential_id: credentialId, deleted_at: null, status: { not: 'error' } };
  const ids = (await tx.connector.findMany({ where, select: { id: true } })).map(({ id }) => id);
  await tx.connector.updateMany({ where: { ...where, id: { in: ids } }, data: { status: 'error' } });
  await announce(tx, ids);
}
