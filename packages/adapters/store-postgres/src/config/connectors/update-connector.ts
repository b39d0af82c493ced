import { orderingOf, type WriteCapState } from '@sluice/contracts';
import { type ConnectorPatch, type ConnectorStore, statusRefusal } from '@sluice/ports';
import type { Connector } from '../../generated/client';
import { bind, portalCredentials, portalOf, type PortalCredential } from './binding';
import { countMappings } from './count-mappings';
import { isUuid, json, type Transaction } from '../../config-client/config-client';
import { connectorRow, withCap } from '../config-rows';
import { announce, lockConnector, lockOrganization, reorder } from '../../config-client/connector-changes';

type UpdateAnswer = Awaited<ReturnType<ConnectorStore['update']>>;

/**
 * Changes a connector. Moving it to another portal than the one its mappings belong to needs `confirmRebind`: the mappings are
 * deleted in the same transaction (docs/reference/portals-and-publishing.md, Portal binding).
 */
export async function updateConnector(
  tx: Transaction,
  organizationId: string,
  id: string,
  patch: ConnectorPatch,
): Promise<UpdateAnswer> {
  if (!isUuid(id)) return { ok: false, reason: 'not_found' };
  if (patch.credentialId !== undefined) await lockOrganization(tx, organizationId);
  const connector = await lockConnector(tx, id);
  if (!connector || connector.organization_id !== organizationId) return { ok: false, reason: 'not_found' };
  const capRefusal = patch.status === undefined ? null : statusRefusal(await capStateOf(tx, id));
  if (capRefusal) return { ok: false, reason: capRefusal };
  if (patch.credentialId !== undefined && patch.credentialId !== connector.credential_id) {
    const refusal = await moveBinding(tx, connector, patch.credentialId, patch.confirmRebind === true);
    if (refusal) return refusal;
  }
  const orderingBefore = orderingOf(connector.settings as Record<string, unknown>);
  if (patch.settings !== undefined && orderingOf(patch.settings) !== orderingBefore) await reorder(tx, [id]);
  await tx.connector.update({
    where: { id },
    data: {
      name: patch.name,
      status: patch.status,
      default_store_id: patch.defaultStoreId,
      credential_id: patch.credentialId,
      updated_by_id: patch.updatedById,
      ...(patch.settings === undefined ? {} : { settings: json(patch.settings) }),
    },
  });
  await announce(tx, [id]);
  const row = await tx.connector.findUniqueOrThrow({ where: { id }, include: withCap });
  return { ok: true, connector: connectorRow(row), orderingBefore };
}

async function capStateOf(tx: Transaction, id: string): Promise<WriteCapState | null> {
  const cap = await tx.writeCap.findUnique({ where: { connector_id: id } });
  return cap && (cap.state as WriteCapState);
}

/** Binds to the portal of `credentialId`. Answers why not, or nothing. */
async function moveBinding(
  tx: Transaction,
  connector: Connector,
  credentialId: string | null,
  confirmed: boolean,
): Promise<UpdateAnswer | null> {
  const portal = portalOf(credentialId, await portalCredentials(tx, connector.organization_id));
  if (credentialId !== null && portal === null) return { ok: false, reason: 'bad_credential' };
  if (portal && leavesPortal(connector, portal)) {
    const mappings = await countMappings(tx, connector.id);
    const bound = connector.credential_id !== null;
    if ((bound || mappings !== 0) && !confirmed) {
      return {
        ok: false,
        reason: 'rebind_confirmation_required',
        oldPortalId: connector.epoch_portal_id,
        newPortalId: portal.portalId,
        mappings,
      };
    }
  }
  await bind(tx, connector, portal);
  return null;
}

const leavesPortal = (connector: Connector, portal: PortalCredential): boolean =>
  connector.epoch_portal_id !== null && connector.epoch_portal_id !== portal.portalId;
