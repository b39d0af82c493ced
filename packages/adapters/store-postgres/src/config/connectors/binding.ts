import { type Connector, Prisma } from '../../generated/client';
import { PurgeFailed } from '@sluice/ports';
import { isConflict, type Transaction } from '../../config-client/config-client';
import { countMappings } from './count-mappings';
import { timeIn } from '../../config-client/database-time';

/** A CRM credential as far as bindings go. */
export interface PortalCredential {
  id: string;
  portalId: string;
}

type BoundConnector = Pick<
  Connector,
  'id' | 'credential_id' | 'binding_credential_id' | 'binding_portal_id' | 'binding_epoch' | 'epoch_portal_id'
>;

/**
 * The portal a connector acts on (docs/reference/portals-and-publishing.md, Portal binding): that of its own credential, else the
 * organization's only portal.
 * @param credentials the organization's CRM credentials, newest first
 */
export function portalOf(credentialId: string | null, credentials: readonly PortalCredential[]): PortalCredential | null {
  if (credentialId !== null) return credentials.find(({ id }) => id === credentialId) ?? null;
  const portals = new Set(credentials.map(({ portalId }) => portalId));
  return portals.size === 1 ? credentials[0]! : null;
}

export async function portalCredentials(tx: Transaction, organizationId: string): Promise<PortalCredential[]> {
  const rows = await tx.credential.findMany({
    where: { organization_id: organizationId, credential_type: 'crm_oauth' },
    orderBy: [{ created_at: 'desc' }, { id: 'asc' }],
    select: { id: true, portal_id: true },
  });
  return rows.flatMap(({ id, portal_id }) => (portal_id === null ? [] : [{ id, portalId: portal_id }]));
}

/**
 * Binds a connector to a portal. A portal other than the last one raises the binding epoch: the runners refuse work of the old
 * epoch, and its identity mappings are deleted. Returns whether anything changed.
 */
export async function bind(tx: Transaction, connector: BoundConnector, portal: PortalCredential | null): Promise<boolean> {
  if (connector.binding_credential_id === (portal?.id ?? null) && connector.binding_portal_id === (portal?.portalId ?? null))
    return false;
  const moved = portal !== null && portal.portalId !== connector.epoch_portal_id;
  const epoch = connector.binding_epoch + (moved ? 1 : 0);
  await tx.connector.update({
    where: { id: connector.id },
    data: {
      binding_credential_id: portal?.id ?? null, binding_portal_id: portal?.portalId ?? null, binding_epoch: epoch,
      ...(moved ? { epoch_portal_id: portal.portalId, bound_at: await timeIn(tx, 0) } : {}),
    },
  });
  // Changing this row waits for saves of mappings under way, and its trigger purges those of older epochs.
  if (moved) {
    await purgeOlder(tx, connector.id, epoch);
    // The journal is read from the present of the new portal on.
    await tx.connectorSource.updateMany({
      where: { connector_id: connector.id, type: 'crm' }, data: { cursor: Prisma.DbNull, last_error: null },
    });
  }
  return true;
}

async function purgeOlder(tx: Transaction, connectorId: string, epoch: number): Promise<void> {
  try {
    await tx.connectorBinding.upsert({
      where: { connector_id: connectorId }, create: { connector_id: connectorId, epoch }, update: { epoch },
    });
  } catch (error) {
    // A conflict is run again by the transaction.
    throw isConflict(error) ? error : new PurgeFailed('the identity mappings cannot be purged', { cause: error });
  }
}

/**
 * Recomputes the bindings of all connectors of an organization after its credentials changed.
 * A connector without a credential of its own never drifts to another portal while it holds mappings.
 * The organization's row must be locked. Answers the changed connectors' ids.
 */
export async function rebindAll(tx: Transaction, organizationId: string): Promise<string[]> {
  const credentials = await portalCredentials(tx, organizationId);
  const connectors = await tx.connector.findMany({ where: { organization_id: organizationId, deleted_at: null } });
  const changed: string[] = [];
  for (const connector of connectors) {
    const portal = portalOf(connector.credential_id, credentials);
    const drifts =
      portal !== null &&
      connector.credential_id === null &&
      connector.epoch_portal_id !== null &&
      connector.epoch_portal_id !== portal.portalId;
    const kept = drifts && (await countMappings(tx, connector.id)) !== 0 ? null : portal;
    if (await bind(tx, connector, kept)) changed.push(connector.id);
  }
  return changed;
}
