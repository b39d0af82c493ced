import { requiredProvisioning } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import type { ConnectorDeps } from './deps';
import { provision } from '../../provisioning/provision';
import { ownGroup } from '../versions/own-group';

/**
 * Creates in a newly bound portal the object types, properties and pipelines that the active version needs, best effort: a
 * failure is logged, and the next publish tries again.
 */
export async function reprovision(deps: ConnectorDeps, connector: ConnectorRow): Promise<void> {
  if (connector.binding === null || connector.activeVersion === null) return;
  const version = await deps.store.drafts.version(connector.id, connector.activeVersion);
  const portal = await deps.openPortal(connector.binding.credentialId);
  if (!version || !portal) return;
  const { errors } = await provision(
    portal,
    requiredProvisioning(version.config as ConfigDocument),
    ownGroup(connector.settings),
  );
  if (errors.length > 0)
    deps.logger.warn('a newly bound portal was not provisioned in full', { connector_id: connector.id, errors });
}
