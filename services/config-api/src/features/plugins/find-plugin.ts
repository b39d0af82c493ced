import type { ConfigStore, KnownPlugin } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** The plugin of the caller's organization; one of another organization is answered like an unknown one (404). */
export async function findPlugin(
  { store }: { store: Pick<ConfigStore, 'plugins'> }, { organization }: Principal, id: string,
): Promise<KnownPlugin> {
  const plugin = await store.plugins.get(organization.id, id);
  if (!plugin) throw apiError('plugin_not_found');
  return plugin;
}
