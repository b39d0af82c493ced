import { type ConfigDocument, planLimits } from '@sluice/contracts';
import type { ConfigStore } from '@sluice/ports';
import type { Principal } from '../auth/principal';
import type { WithPublicUrl } from '../http/with-public-url';
import { limitError } from './limit-error';
import { upgradeUrl } from './upgrade-url';

interface Deps extends WithPublicUrl {
  store: Pick<ConfigStore, 'drafts' | 'organizations'>;
}

/**
 * Whether the plan allows what a publish of `config` would add to the sources that exist; throws 402. Editing and removing never
 * fails. The transaction that stores a version decides; this check reports it earlier.
 */
export async function assertSourcesFit(
  deps: Deps,
  { organization }: Principal,
  connectorId: string,
  config: Pick<ConfigDocument, 'sources'>,
): Promise<void> {
  const limit = planLimits(organization).event_sources_limit;
  if (limit === null) return;
  const [names, { eventSources: usage }] = await Promise.all([
    deps.store.drafts.sourceNames(connectorId),
    deps.store.organizations.usage(organization.id),
  ]);
  const growth = new Set(config.sources.map(({ name }) => name)).size - names.length;
  if (growth > 0 && usage + growth > limit)
    throw limitError('event_source_limit_reached', organization, upgradeUrl(deps), { limit, usage });
}
