import {
  connectorChanges, type ConnectorChange, type ConnectorKey, type ConnectorStatus, maxKeysInChange, orderingOf,
  type OrganizationState, type Tier, type WriteCapState,
} from '@sluice/contracts';
import type { ConnectorApiKey, Prisma } from '../generated/client';
import { asId, json, type Reader, type Transaction } from './config-client';

type KeyWhere = Prisma.ConnectorApiKeyWhereInput & Prisma.OrganizationApiKeyWhereInput;

/** Keys that open something at `now`. */
export const usableKeys = (now: Date) =>
  ({ revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] }) satisfies KeyWhere;

const withKeys = (now: Date) => ({
  api_keys: { where: usableKeys(now), orderBy: [{ created_at: 'desc' as const }, { id: 'asc' as const }], take: maxKeysInChange },
}) satisfies Prisma.ConnectorInclude;

type LoadedConnector = Prisma.ConnectorGetPayload<{
  include: ReturnType<typeof withKeys> & { organization: true; write_cap: true };
}>;

/**
 * The whole state of connectors as the topic carries it, deleted ones too. One statement after the other: several relations of
 * one read are read at the same time, which the connection of a transaction cannot do.
 */
export async function loadChanges(reader: Reader, ids: readonly string[]): Promise<ConnectorChange[]> {
  const connectors = await reader.connector.findMany({ where: { id: { in: [...ids] } }, include: withKeys(new Date()) });
  const organizationIds = [...new Set(connectors.map(({ organization_id: id }) => id))];
  const organizations = byId(await reader.organization.findMany({ where: { id: { in: organizationIds } } }), 'id');
  const caps = byId(await reader.writeCap.findMany({ where: { connector_id: { in: [...ids] } } }), 'connector_id');
  return connectors.map((connector) => changeOf({
    ...connector, organization: organizations.get(connector.organization_id)!, write_cap: caps.get(connector.id) ?? null,
  }));
}

const byId = <K extends string, Row extends Record<K, string>>(rows: readonly Row[], key: K): Map<string, Row> =>
  new Map(rows.map((row) => [row[key], row]));

export const connectorKey = ({ id, key_hash, expires_at }: ConnectorApiKey): ConnectorKey => ({
  id,
  hash: key_hash,
  expires_at: expires_at?.toISOString() ?? null,
});

function changeOf(connector: LoadedConnector): ConnectorChange {
  const gone = connector.deleted_at !== null;
  const { organization } = connector;
  return {
    v: 1,
    connector_id: connector.id,
    organization_id: connector.organization_id,
    revision: connector.revision,
    deleted: gone,
    name: connector.name,
    status: connector.status as ConnectorStatus,
    default_store_id: connector.default_store_id,
    organization: {
      tier: organization.tier as Tier,
      state: organization.state as OrganizationState,
      per_record_ordering: organization.per_record_ordering,
      limits: organization.limits as Record<string, number | null>,
    },
    ordering: orderingOf(connector.settings as Record<string, unknown>),
    ordering_epoch: connector.ordering_epoch,
    mappings_removed: connector.mappings_removed,
    write_cap: connector.write_cap && (connector.write_cap.state as WriteCapState),
    width: connector.width,
    ...(connector.width_before !== null && connector.width_from !== null && {
      width_raise: { before: connector.width_before, from: connector.width_from.toISOString() },
    }),
    keys: gone ? [] : connector.api_keys.map(connectorKey),
    active_version: connector.active_version,
    plugins_revision: connector.plugins_revision,
    flows: [],
    binding: connector.binding_credential_id !== null && connector.binding_portal_id !== null
      ? { credential_id: connector.binding_credential_id, portal_id: connector.binding_portal_id, epoch: connector.binding_epoch }
      : null,
  };
}

/** Connectors told of in one statement: keeps the parameter lists bounded. */
const chunkSize = 500;

/**
 * Raises the revisions of connectors, which locks their rows, and puts their whole state into the outbox. It is the last step of
 * every transaction that changed them. Because of the row locks, outbox ids and revisions of a connector have the same order.
 */
export async function announce(tx: Transaction, connectorIds: readonly string[]): Promise<void> {
  const ids = [...connectorIds].sort();
  for (let start = 0; start < ids.length; start += chunkSize) {
    const some = ids.slice(start, start + chunkSize);
    await tx.connector.updateMany({ where: { id: { in: some } }, data: { revision: { increment: 1 } } });
    const changes = await loadChanges(tx, some);
    await tx.outboxMessage.createMany({
      data: changes.map((change) => ({ topic: connectorChanges.name, key: connectorChanges.key(change), payload: json(change) })),
    });
  }
}

/** Notes that the ordering of the connectors has changed. */
export async function reorder(tx: Transaction, connectorIds: readonly string[]): Promise<void> {
  const ids = [...connectorIds].sort();
  for (let start = 0; start < ids.length; start += chunkSize) {
    const some = ids.slice(start, start + chunkSize);
    await tx.connector.updateMany({ where: { id: { in: some } }, data: { ordering_epoch: { increment: 1 } } });
  }
}

/**
 * Locks an organization's row. Taken before any connector's lock by whatever touches limits or bindings. Not FOR UPDATE: that
 * would also stop the checks of rows that refer to it, which others make while they hold a connector (a deadlock).
 */
export async function lockOrganization(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM organizations WHERE id = ${asId(id)}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Locks the row of a connector that is not deleted and reads it. */
export async function lockConnector(tx: Transaction, id: string) {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM connectors WHERE id = ${asId(id)}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return rows.length === 0 ? null : tx.connector.findUnique({ where: { id } });
}
