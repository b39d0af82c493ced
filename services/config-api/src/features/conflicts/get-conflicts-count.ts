import { configRoutes, type ConfigDocument } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ConflictDeps } from './deps';

export function getConflictsCount(deps: ConflictDeps): HttpRoute {
  return implementRoute(configRoutes.countConflicts, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const { id, activeVersion } = await findConnector(deps, principal, params.connector_id);
      const active = activeVersion === null ? null : await deps.store.drafts.version(id, activeVersion);
      const count = await deps.conflicts.count(id);
      const policyActive = arbitrates((active?.config as ConfigDocument | undefined)?.conflicts);
      return { status: 200, body: { count, policy_active: policyActive, never_matched: policyActive && count === 0 } };
    },
  });
}

/** Whether some entity has another strategy than that the source wins. */
const arbitrates = ({ strategy, entities = {} }: NonNullable<ConfigDocument['conflicts']> = {}): boolean =>
  [strategy, ...Object.values(entities).map((entity) => entity.strategy)].some((one) => (one ?? 'source_wins') !== 'source_wins');
