import { type ConfigDocument, configRoutes, planLimits } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type ChangedDraft } from '../drafts/change-draft';
import type { SourceDeps } from './deps';
import { withoutSource } from './without-source';

export function deleteSource(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.deleteSource, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const remove = withoutSource(params.name);
      const change = async (config: ConfigDocument): Promise<ChangedDraft> => {
        const changed = remove(config);
        if (!query.confirm) await assertWithinLimit(deps, principal);
        return changed;
      };
      return { status: 200, body: await changeDraft(deps, principal, id, { change, bytes: 0 }) };
    },
  });
}

/** An organization with more sources than the plan allows cannot add a removed source again. */
async function assertWithinLimit({ store }: SourceDeps, { organization }: Principal): Promise<void> {
  const limit = planLimits(organization).event_sources_limit;
  const { eventSources: usage } = await store.organizations.usage(organization.id);
  if (limit !== null && usage > limit) throw apiError('event_source_delete_confirmation_required', { limit, usage });
}
