import type { HttpRoute } from '@sluice/service-kit';
import type { ConflictDeps } from './deps';
import { getConflicts } from './get-conflicts';
import { getConflictsCount } from './get-conflicts-count';

/** The routes of conflict records. */
export const conflictRoutes = (deps: ConflictDeps): HttpRoute[] => [getConflicts(deps), getConflictsCount(deps)];
