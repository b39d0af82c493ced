import { type ConfigDocument, planLimits } from '@sluice/contracts';
import type { ConfigStore } from '@sluice/ports';
import type { HttpError } from '@sluice/service-kit';
import type { Principal } from '../auth/principal';
import type { WithPublicUrl } from '../http/with-public-url';
import { limitError } from '../limits/limit-error';
import { upgradeUrl } from './upgrade-url';

export interface SourcesDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'drafts' | 'organizations'>;
}

/**
 * The 402 where the plan does not allow what a publish of `config` would add to the sources that exist, else null. Editing and
 * removing is never refused. The transaction that stores a version decides; this tells it earlier.
 */
export async function sourcesRefusal(
  deps: SourcesDeps,
  { organization }: Principal,
  connectorId: string,
  config: Pick<ConfigDocument, 'sources'>,
): Promise<HttpError | null> {
  const limit = planLimits(organization).event_sources_limit;
  if (limit === null) return null;
  const [names, { eventSources: usage }] = await Promise.all([
    deps.store.drafts.sourceNames(connectorId),
    deps.store.organizations.usage(organization.id),
  ]);
  const growth = new Set(config.sources.map(({ name }) => name)).size - names.length;
  return growth > 0 && usage + growth > limit
    ? limitError('event_source_limit_reached', organization, upgradeUrl(deps), { limit, usage })
    : null;
}
