import { defineWorker, type Worker } from '@sluice/background';
import type { BreakerSettings, BreakerStore, Logger } from '@sluice/ports';

const leaseMs = 30_000;

/**
 * The worker that opens breakers by the rate of failures.
 * @param checkMs SLUICE_BREAKER_CHECK
 */
export function breakerRates(
  breakers: Pick<BreakerStore, 'checkRates'>, { checkMs, ...settings }: BreakerSettings & { checkMs: number }, logger: Logger,
): Worker {
  return defineWorker({
    name: 'breakers.rates', schedule: { every: checkMs }, leaseMs,
    run: async () => {
      for (const { connectorId, flowName, detail } of await breakers.checkRates(settings)) {
        logger.warn('flow breaker opened by its failure rate', { connector_id: connectorId, flow_name: flowName, detail });
      }
    },
  });
}
