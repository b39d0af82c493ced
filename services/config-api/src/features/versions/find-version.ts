import { type ConfigDocument, withCoordinates } from '@sluice/contracts';
import { apiError } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { versionView } from './version-view';

/** A version of a connector with its config as it was written; throws 404 when there is none. */
export async function storedVersion({ store }: Pick<VersionDeps, 'store'>, connectorId: string, version: number | 'active') {
  const found = await store.drafts.version(connectorId, version);
  if (!found) throw apiError('Not Found');
  return { ...found, config: found.config as ConfigDocument };
}

/** The same as the API shows it: with what the names of its plugins mean in it. Throws 404. */
export async function findVersion(deps: VersionDeps, connectorId: string, version: number | 'active') {
  const found = await storedVersion(deps, connectorId, version);
  const plugins = await deps.store.plugins.versionPlugins(connectorId, found.version);
  const coordinates = new Map(plugins.map((plugin) => [plugin.logicalName, plugin]));
  return { ...versionView(found), config: withCoordinates(found.config, coordinates) };
}
