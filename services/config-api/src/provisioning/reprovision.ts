import type { ConfigDocument } from '@sluice/contracts';
import type { ConfigStore, ConnectorRow } from '@sluice/ports';
import { ownGroup } from './own-group';
import type { ConfigWork } from '../work/create-config-work';
import type { OpenPortal } from './open-portal';
import { provision } from './provision';
import { requiredOf } from './required-of';
import { type JournalSubscribing, subscribeJournal } from './subscribe-journal';

/** What provisioning of a newly bound portal works with. */
export interface ReprovisionDeps extends JournalSubscribing {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  configWork: Pick<ConfigWork, 'run'>;
  openPortal: OpenPortal;
}

/** Connectors that one connected portal is provisioned for; the others wait for their next publish. */
const maxConnectors = 20;

/**
 * Creates in a newly bound portal the object types, properties and pipelines that the active version needs, and subscribes to
 * the changes that it takes, best effort: the binding is kept in any case, a failure is logged, and the next publish tries again.
 * False: the portal does not answer.
 */
export async function reprovision(deps: ReprovisionDeps, connector: ConnectorRow): Promise<boolean> {
  if (connector.binding === null || connector.activeVersion === null) return true;
  const about = { connector_id: connector.id, portal_id: connector.binding.portalId };
  try {
    const version = await deps.store.drafts.version(connector.id, connector.activeVersion);
    if (version) await subscribeJournal(deps, connector.binding.portalId, version.config as ConfigDocument, null);
    const portal = await deps.openPortal(connector.binding.credentialId);
    if (!version || !portal) return true;
    const required = await requiredOf(deps, connector.organizationId, version.config);
    const { errors, lost } = await provision(portal, required, ownGroup(connector.settings));
    if (errors.length > 0) deps.logger.warn('a newly bound portal was not provisioned in full', { ...about, errors });
    return !lost;
  } catch (error) {
    deps.logger.warn('a newly bound portal was not provisioned', { ...about, error });
    return false;
  }
}

/** The same for the connectors that act on a portal from now on because it is the only one that is connected. */
export async function reprovisionConnected(deps: ReprovisionDeps, organizationId: string, credentialId: string): Promise<void> {
  const { items } = await deps.store.connectors.list(organizationId, { limit: maxConnectors, offset: 0 });
  for (const connector of items)
    if (connector.binding?.credentialId === credentialId && !(await reprovision(deps, connector))) return;
}
