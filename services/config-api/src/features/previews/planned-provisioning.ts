import { requiredProvisioning } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import { needsPortal } from '../../provisioning/provision';
import { planProvisioning, type ProvisioningPlan } from '../../provisioning/plan-provisioning';
import { ownGroup } from '../versions/own-group';
import type { PreviewDeps } from './deps';

const nothing = (): ProvisioningPlan =>
  ({ property_groups: [], properties: [], custom_objects: [], pipelines: [], errors: [], lost: false });

/** What a publish of a config would create on the connector's portal. null: it needs a portal, and there is none. */
export async function plannedProvisioning(
  { openPortal }: Pick<PreviewDeps, 'openPortal'>,
  { binding, settings }: ConnectorRow,
  config: ConfigDocument,
): Promise<ProvisioningPlan | null> {
  const required = requiredProvisioning(config);
  if (!needsPortal(required)) return nothing();
  const portal = binding && (await openPortal(binding.credentialId));
  return portal && planProvisioning(portal, required, ownGroup(settings));
}
