import type { ConfigDocument, ConnectorChange, FlowIndexEntry } from '@sluice/contracts';
import type { ConfigReader, CrmCredentialAccess } from '../../config-store/config-reader';
import type { SourceState } from '../../config-store';
import type { SourceCredential } from '../../sources/source-credential';

/** What a credential of the twin holds. */
export interface MemoryCredential extends CrmCredentialAccess {
  refreshToken: string | null;
}

/** Twin of the config reader, with what stands in for config-api beside it. */
export interface MemoryConfigReader extends ConfigReader {
  putConnector(change: ConnectorChange): void;
  putVersion(connectorId: string, version: number, config: unknown, flows?: FlowIndexEntry[]): void;
  putCredential(credential: MemoryCredential): void;
  putSourceCredential(organizationId: string, name: string, credential: SourceCredential): void;
  putSources(connectorId: string, sources: SourceState[]): void;
}

export function createMemoryConfigReader(): MemoryConfigReader {
  const connectors = new Map<string, ConnectorChange>();
  const versions = new Map<string, { config: unknown; flows: FlowIndexEntry[] }>();
  const credentials = new Map<string, MemoryCredential>();
  const sourceCredentials = new Map<string, SourceCredential>();
  const sources = new Map<string, SourceState[]>();
  /** Last refresh per credential: the next one waits for it, as for a row's lock. */
  const refreshes = new Map<string, Promise<unknown>>();
  const accessOf = ({ refreshToken: _refreshToken, ...access }: MemoryCredential): CrmCredentialAccess => access;

  const refreshOnce: ConfigReader['refreshCrmAccess'] = async (credentialId, staleToken, refresh) => {
    const credential = credentials.get(credentialId);
    if (!credential) return null;
    if (credential.accessToken !== staleToken) return accessOf(credential);
    const fresh = credential.refreshToken === null ? null : await refresh(credential.refreshToken);
    if (!fresh) {
      const acting = [...connectors.values()].filter(({ binding }) => binding?.credential_id === credentialId);
      const refused = credential.refreshToken === null ? [] : acting.filter(({ status }) => status !== 'error');
      for (const change of refused)
        connectors.set(change.connector_id, { ...change, status: 'error', revision: change.revision + 1 });
      return null;
    }
    const next = {
      ...credential,
      accessToken: fresh.accessToken,
      refreshToken: fresh.refreshToken,
      expiresAt: Date.now() + fresh.expiresInS * 1000,
    };
    credentials.set(credentialId, next);
    return accessOf(next);
  };

  return {
    connector: async (id) => connectors.get(id) ?? null,
    revision: async (id) => connectors.get(id)?.revision ?? null,
    connectorByKeyHash: async (wanted) => {
      for (const change of connectors.values()) {
        const key = change.deleted ? undefined : change.keys.find(({ hash }) => hash === wanted);
        if (key) return { change, key };
      }
      return null;
    },
    flowIndex: async (connectorId, version) => versions.get(`${connectorId}/${version}`)?.flows ?? null,
    versionConfig: async (connectorId, version) => versions.get(`${connectorId}/${version}`)?.config ?? null,
    versionSources: async (connectorId, version) => {
      const config = versions.get(`${connectorId}/${version}`)?.config as ConfigDocument | undefined;
      return config ? { sources: config.sources ?? [], ingressProfile: config.ingress_profile ?? null } : null;
    },
    sourceStates: async (connectorId) => sources.get(connectorId) ?? [],
    crmAccess: async (id) => {
      const credential = credentials.get(id);
      return credential ? accessOf(credential) : null;
    },
    sourceCredential: async (organizationId, name) => sourceCredentials.get(`${organizationId}/${name}`) ?? null,
    refreshCrmAccess: (credentialId, staleToken, refresh) => {
      const before = refreshes.get(credentialId) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(() => refreshOnce(credentialId, staleToken, refresh));
      refreshes.set(credentialId, mine);
      return mine;
    },
    putConnector: (change) => void connectors.set(change.connector_id, change),
    putVersion: (connectorId, version, config, flows = []) => void versions.set(`${connectorId}/${version}`, { config, flows }),
    putSourceCredential: (organizationId, name, credential) =>
      void sourceCredentials.set(`${organizationId}/${name}`, { allowedHosts: null, ...credential }),
    putSources: (connectorId, states) => void sources.set(connectorId, states),
    putCredential: (credential) => void credentials.set(credential.credentialId, credential),
  };
}
