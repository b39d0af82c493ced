import type { ConnectorRow } from '@sluice/ports';
import { needsPortal } from '../../provisioning/provision';
import { planProvisioning, type ProvisioningPlan } from '../../provisioning/plan-provisioning';
import { requiredOf } from '../../provisioning/required-of';
import { ownGroup } from '../../provisioning/own-group';
import type { PreviewDeps } from './deps';

const nothing = (): ProvisioningPlan =>
  ({ property_groups: [], properties: [], custom_objects: [], pipelines: [], errors: [], lost: false });

/** What a publish of a config would create on the connector's portal. null: it needs a portal, and there is none. */
export async function plannedProvisioning(
  deps: Pick<PreviewDeps, 'configWork' | 'openPortal'>,
  { organizationId, binding, settings }: ConnectorRow,
  config: unknown,
): Promise<ProvisioningPlan | null> {
  const required = await requiredOf(deps, organizationId, config);
  if (!needsPortal(required)) return nothing();
  const portal = binding && (await deps.openPortal(binding.credentialId));
  return portal && planProvisioning(portal, required, ownGroup(settings));
}
