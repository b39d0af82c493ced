import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { rebuildWorkerName } from '../monitoring/count-workers';
import type { OperatorDeps } from './deps';

export function postCountsRebuild({ authenticateOperator, tasks }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.rebuildCounts, {
    authenticate: authenticateOperator,
    handler: async () => {
      await tasks.wake([{ worker: rebuildWorkerName, key: '' }]);
      return { status: 202 };
    },
  });
}
