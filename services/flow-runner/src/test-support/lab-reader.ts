import type { ConfigDocument, ConnectorChange } from '@sluice/contracts';
import { type ConfigReader, type SourceCredential, StoreUnavailable } from '@sluice/ports';

/** The portal that the simulator has from the start. */
export const labPortal = '1000001';
const credentialOf = (portalId: string): string => (portalId === labPortal ? 'cred' : `cred-${portalId}`);

export const bindingTo = (portalId: string): { credential_id: string; portal_id: string } =>
  ({ credential_id: credentialOf(portalId), portal_id: portalId });

interface LabReaderOptions {
  connectors: readonly string[];
  stateOf(connectorId: string): ConnectorChange;
  /** Published configs; the first is version 1. */
  versions: readonly ConfigDocument[];
  /** Credentials that sources name. */
  credentials: Record<string, SourceCredential>;
}

/** What a runner of the lab reads of the configuration: connectors, versions, and the tokens of portals. */
export class LabReader implements ConfigReader {
  private readonly portals = new Map<string, { portalId: string; accessToken: string }>();
  private token = `sim-access-${labPortal}`;
  private lostReads = 0;

  constructor(private readonly options: LabReaderOptions) {}

  addPortal(portal: { portalId: string; accessToken: string }): void {
    this.portals.set(credentialOf(portal.portalId), portal);
  }

  /** The next so many reads of tokens find the database away. */
  loseTokenReads(count: number): void {
    this.lostReads = count;
  }

  connector: ConfigReader['connector'] = async (id) =>
    (this.options.connectors.includes(id) ? this.options.stateOf(id) : null);

  revision: ConfigReader['revision'] = async (id) => (await this.connector(id))?.revision ?? null;

  connectorByKeyHash: ConfigReader['connectorByKeyHash'] = () => Promise.resolve(null);
  flowIndex: ConfigReader['flowIndex'] = () => Promise.resolve(null);
  versionSources: ConfigReader['versionSources'] = () => Promise.resolve(null);
  sourceStates: ConfigReader['sourceStates'] = () => Promise.resolve([]);

  versionConfig: ConfigReader['versionConfig'] = async (_id, version) => this.options.versions[version - 1] ?? null;

  sourceCredential: ConfigReader['sourceCredential'] = async (_organizationId, name) => this.options.credentials[name] ?? null;

  crmAccess: ConfigReader['crmAccess'] = async (credentialId) => {
    if (this.lostReads > 0) {
      this.lostReads -= 1;
      throw new StoreUnavailable('the lab lost this read');
    }
    const portal = this.portals.get(credentialId) ?? { portalId: labPortal, accessToken: this.token };
    return { credentialId, ...portal, expiresAt: null };
  };

  refreshCrmAccess: ConfigReader['refreshCrmAccess'] = async (credentialId, stale, refresh) => {
    if (stale === this.token) {
      const fresh = await refresh(`sim-refresh-${labPortal}`);
      if (!fresh) return null;
      this.token = fresh.accessToken;
    }
    return { credentialId, portalId: labPortal, accessToken: this.token, expiresAt: null };
  };
}
