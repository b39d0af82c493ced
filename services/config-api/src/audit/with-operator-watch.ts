import type { Logger } from '@sluice/ports';
import { HttpError, type HttpRoute, type Metrics } from '@sluice/service-kit';
import { isOperator } from '../auth/principal';

/**
 * The same route; of the operator's routes, calls of anybody else are logged and counted. No audit log has them: they concern no
 * organization, and whoever makes them chooses the one that they name.
 */
export function withOperatorWatch({ logger, metrics }: { logger: Logger; metrics: Metrics }): (route: HttpRoute) => HttpRoute {
  const refused = metrics.counter({
    name: 'operator_calls_refused_total',
    help: "Calls of the operator's routes without the operator token.",
    labels: ['status'],
  });
  return (route) => {
    if (route.contract.auth !== 'operator') return route;
    const { around } = route;
    return {
      ...route,
      around: async (request, context, work) => {
        try {
          return await (around ? around(request, context, work) : work());
        } catch (error) {
          if (error instanceof HttpError && !isOperator(context.principal)) {
            refused.inc({ status: error.status });
            const { contract: { name: called }, address, requestId: request_id } = context;
            logger.warn("a call of the operator's routes was refused", { called, address, request_id, status: error.status });
          }
          throw error;
        }
      },
    };
  };
}
