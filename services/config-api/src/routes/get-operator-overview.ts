import { configRoutes, consumerGroups } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Deps } from '../deps';

export function getOperatorOverview(deps: Deps): HttpRoute {
  return implementRoute(configRoutes.overview, {
    authenticate: deps.authenticateOperator,
    handler: async ({ logger }) => {
      /** A part that cannot be read is null: the rest is still worth seeing. */
      const orNull = <T>(part: string, reading: Promise<T>): Promise<T | null> => reading.catch((error: unknown) => {
        logger.warn('part of the overview cannot be read', { part, error });
        return null;
      });
      const [lag, held, backlog] = await Promise.all([
        orNull('lag', lagOf(deps)), orNull('held', deps.runStore.heldCounts()), deps.store.outbox.backlog(),
      ]);
      return { status: 200, body: { services: deps.services(), lag, held, outbox: { waiting: backlog.waiting, oldest_ms: backlog.oldestMs }, breakers: {} } };
    },
  });
}

async function lagOf({ bus }: Deps) {
  const groups = await Promise.all(consumerGroups.map(async ({ topic, group }) =>
    (await bus.lag(topic, group)).map(({ partition, committed, end }) => ({ topic, group, partition, lag: Number(end - committed) }))));
  return groups.flat();
}
