import { apiError } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { versionView } from './version-view';

/** A version of a connector with its config; throws 404 when there is none. */
export async function findVersion({ store }: VersionDeps, connectorId: string, version: number | 'active') {
  const found = await store.drafts.version(connectorId, version);
  if (!found) throw apiError('Not Found');
  return { ...versionView(found), config: found.config };
}
