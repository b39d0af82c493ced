import { type ConfigDocument, errorDetail } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import { apiError, HttpError } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { createsSomething, planProvisioning } from '../../provisioning/plan-provisioning';
import { needsPortal, provision } from '../../provisioning/provision';
import { requiredOf } from '../../provisioning/required-of';
import type { Provisioned } from '../../provisioning/report';
import { ownGroup } from './own-group';
import { type Finding, warning } from './publish-warnings';

export interface PublishProvisioning {
  provisioned: Provisioned[];
  warnings: Finding[];
}

/** The review gate of a publish. */
export interface Review {
  /** The organization requires a confirmation of what would be created. */
  required: boolean;
  confirmedDraftVersion: number | null;
  draftVersion: number;
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
  if (review.required && review.confirmedDraftVersion !== review.draftVersion) {
    const plan = await planProvisioning(portal, required, group);
    if (createsSomething(plan)) throw reviewError(review);
  }
  const { provisioned, errors } = await provision(portal, required, group);
  if (errors.length > 0)
    throw apiError('provisioning_failed', {
      message: 'The portal could not be given what the config needs.', errors, provisioned,
    });
  return { provisioned, warnings: [] };
}

function reviewError({ confirmedDraftVersion, draftVersion }: Review): Error {
  const fields = {
    message: 'The publish would create something on the portal: confirm it with review.draft_version.',
    draft_version: draftVersion,
  };
  return confirmedDraftVersion === null
    ? apiError('publish_review_required', fields)
    : new HttpError(409, errorDetail('publish_review_required', fields));
}
