import { type ConfigDocument, type FlowIndexEntry, type IngressProfile, type Source, withCoordinates } from '@sluice/contracts';
import type { ConfigReader, ConnectorReader, CrmCredentialAccess, Keyring, SourceCredential } from '@sluice/ports';
import type { Credential, PrismaClient } from '../generated/client';
import { inTransaction, isUuid } from '../config-client/config-client';
import { allowedHostsOf } from './config-rows';
import { connectorKey, loadChanges, usableKeys } from '../config-client/connector-changes';
import { coordinatesOf } from '../plugins/version-plugins';
import { lockCredential } from './credentials/lock-credential';
import { stopConnectors } from './connectors/stop-connectors';
import { sourceStates } from './source-store';
import { mapStoreOutage } from '../config-client/store-errors';

/** What a CRM credential's sealed data holds. */
export interface CrmTokens {
  access_token: string;
  refresh_token?: string;
}

/** Milliseconds: the CRM is asked while the row is locked, so that a token is refreshed once for all. */
const refreshTimeoutMs = 30_000;

/** Connectors and their published versions, on Postgres. */
export function createConnectorReader(prisma: PrismaClient): ConnectorReader {
  return mapStoreOutage<ConnectorReader>(connectorReads(prisma));
}

/**
 * The same with the credentials of the CRM and of sources.
 * @param options.refreshWaitMs how long a caller waits for another one's refresh; default 5 s
 */
export function createConfigReader(
  prisma: PrismaClient, keyring: Keyring, options: { refreshWaitMs?: number } = {},
): ConfigReader {
  return mapStoreOutage<ConfigReader>({ ...connectorReads(prisma), ...credentialReads(prisma, keyring, options) });
}

function connectorReads(prisma: PrismaClient): ConnectorReader {
  return {
    async connector(connectorId) {
      return isUuid(connectorId) ? (await loadChanges(prisma, [connectorId]))[0] ?? null : null;
    },

    async revision(connectorId) {
      if (!isUuid(connectorId)) return null;
      const [row] = await prisma.$queryRaw<{ revision: number }[]>`
        SELECT revision FROM connectors WHERE id = ${connectorId}::uuid`;
      return row?.revision ?? null;
    },

    async connectorByKeyHash(hash) {
      const owner = await prisma.connectorApiKey.findUnique({ where: { key_hash: hash }, select: { connector_id: true } });
      const [change] = owner ? await loadChanges(prisma, [owner.connector_id]) : [];
      if (!change || change.deleted) return null;
      // Read after the change: a key revoked in between is refused here, one revoked later comes with a higher revision.
      const key = await prisma.connectorApiKey.findFirst({ where: { key_hash: hash, ...usableKeys(new Date()) } });
      return key && { change, key: connectorKey(key) };
    },

    async flowIndex(connectorId, version) {
      if (!isUuid(connectorId)) return null;
      const row = await prisma.version.findUnique({
        where: { connector_id_version: { connector_id: connectorId, version } },
        select: { flow_index: true },
      });
      return row && (row.flow_index as unknown as FlowIndexEntry[]);
    },

    async versionConfig(connectorId, version) {
      if (!isUuid(connectorId)) return null;
      const row = await prisma.version.findUnique({
        where: { connector_id_version: { connector_id: connectorId, version } },
        select: { config: true },
      });
      return row && withCoordinates(row.config as unknown as ConfigDocument, await coordinatesOf(prisma, connectorId, version));
    },

    async versionSources(connectorId, version) {
      if (!isUuid(connectorId)) return null;
      const [row] = await prisma.$queryRaw<{ sources: Source[] | null; profile: IngressProfile | null }[]>`
        SELECT config->'sources' AS sources, config->'ingress_profile' AS profile FROM versions
        WHERE connector_id = ${connectorId}::uuid AND version = ${version}`;
      return row ? { sources: row.sources ?? [], ingressProfile: row.profile } : null;
    },

    sourceStates: (connectorId) => sourceStates(prisma, connectorId),
  };
}

function credentialReads(
  prisma: PrismaClient, keyring: Keyring, { refreshWaitMs }: { refreshWaitMs?: number },
): Omit<ConfigReader, keyof ConnectorReader> {
  const tokensOf = (row: Credential): CrmTokens =>
    JSON.parse(keyring.decrypt(row.sealed, credentialContext(row.id))) as CrmTokens;
  const accessOf = (row: Credential, tokens: CrmTokens): CrmCredentialAccess | null =>
    row.portal_id === null
      ? null
      : {
          credentialId: row.id,
          portalId: row.portal_id,
          accessToken: tokens.access_token,
          expiresAt: row.token_expires_at?.getTime() ?? null,
        };
  return {
    async crmAccess(credentialId) {
      const row = isUuid(credentialId) ? await prisma.credential.findUnique({ where: { id: credentialId } }) : null;
      return row?.credential_type === 'crm_oauth' ? accessOf(row, tokensOf(row)) : null;
    },

    async sourceCredential(organizationId, name) {
      // Postgres throws on a text with NUL; no credential has such a name.
      if (!isUuid(organizationId) || name.includes('\0')) return null;
      const row = await prisma.credential.findFirst({ where: { organization_id: organizationId, source_name: name } });
      if (!row) return null;
      // What is sealed was checked against the type when it was stored.
      const data: unknown = JSON.parse(keyring.decrypt(row.sealed, credentialContext(row.id)));
      return { type: row.credential_type, data, allowedHosts: allowedHostsOf(row) } as SourceCredential;
    },

    async refreshCrmAccess(credentialId, staleToken, refresh) {
      if (!isUuid(credentialId)) return null;
      return inTransaction(prisma, async (tx) => {
        await lockCredential(tx, credentialId, refreshWaitMs);
        const row = await tx.credential.findUnique({ where: { id: credentialId } });
        if (row?.credential_type !== 'crm_oauth') return null;
        const tokens = tokensOf(row);
        if (tokens.access_token !== staleToken) return accessOf(row, tokens);
        const fresh = tokens.refresh_token === undefined ? null : await refresh(tokens.refresh_token);
        if (!fresh) {
          // Without a refresh token nothing says that the refusal is for good.
          if (tokens.refresh_token !== undefined) await stopConnectors(tx, credentialId);
          return null;
        }
        const next: CrmTokens = { access_token: fresh.accessToken, refresh_token: fresh.refreshToken };
        const updated = await tx.credential.update({
          where: { id: credentialId },
          data: {
            sealed: keyring.encrypt(JSON.stringify(next), credentialContext(credentialId)),
            token_expires_at: new Date(Date.now() + fresh.expiresInS * 1000),
          },
        });
        return accessOf(updated, next);
      }, refreshTimeoutMs);
    },
  };
}

/** What a credential's sealed data is bound to. */
const credentialContext = (id: string): string => `credential:${id}`;
