import type { ConfigDocument } from '@sluice/contracts';
import type { Finding } from '@sluice/config-model';
import type { ConnectorRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { createsSomething, planProvisioning } from '../../provisioning/plan-provisioning';
import { needsPortal, provision } from '../../provisioning/provision';
import { requiredOf } from '../../provisioning/required-of';
import type { Provisioned } from '../../provisioning/report';
import { ownGroup } from '../../provisioning/own-group';
import { warning } from './publish-warnings';
import { isConfirmed, type Review, reviewError } from './review-gate';

export interface PublishProvisioning {
  provisioned: Provisioned[];
  warnings: Finding[];
}

/**
 * Provisions the connector's portal for a config, before the version is stored (docs/reference/portals-and-publishing.md,
 * Provisioning). Throws 422 with `errors[]` and `provisioned[]`, and the answers of the review gate. Without a portal there is
 * nothing to provision; the answer then carries a warning.
 */
export async function provisionForPublish(
  deps: VersionDeps,
  connector: ConnectorRow,
  config: ConfigDocument,
  portals: number,
  review: Review,
): Promise<PublishProvisioning> {
  const required = await requiredOf(deps, connector.organizationId, config);
  if (!needsPortal(required)) return { provisioned: [], warnings: [] };
  const portal = connector.binding && (await deps.openPortal(connector.binding.credentialId));
  if (!portal) {
    if (portals > 1)
      throw apiError('crm_portal_not_bound', {
        message: 'Several portals are connected: bind the connector to one with credential_id.',
      });
    return {
      provisioned: [],
      warnings: [
        warning(
          'connector_has_no_credential',
          'No portal is connected: nothing was provisioned, and nothing can be written to the CRM.',
          'Connect a portal.',
        ),
      ],
    };
  }
  const group = ownGroup(connector.settings);
  if (!isConfirmed(review)) {
    const plan = await planProvisioning(portal, required, group);
    if (createsSomething(plan)) throw reviewError(review, 'create something on the portal');
  }
  const { provisioned, errors } = await provision(portal, required, group);
  if (errors.length > 0)
    throw apiError('provisioning_failed', {
      message: 'The portal could not be given what the config needs.', errors, provisioned,
    });
  return { provisioned, warnings: [] };
}
