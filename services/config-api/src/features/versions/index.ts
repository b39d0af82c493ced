import type { HttpRoute } from '@sluice/service-kit';
import type { VersionDeps } from './deps';
import { getActiveVersion } from './get-active-version';
import { getVersion } from './get-version';
import { getVersions } from './get-versions';
import { postPublish } from './post-publish';
import { postVersionRestore } from './post-version-restore';

/** The routes of publishing and versions. */
export const versionRoutes = (deps: VersionDeps): HttpRoute[] => [
  getActiveVersion(deps),
  getVersion(deps),
  getVersions(deps),
  postPublish(deps),
  postVersionRestore(deps),
];
