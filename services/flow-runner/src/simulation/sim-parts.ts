import { silentLogger, StoreUnavailable, type Logger } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';
import { CommitLost } from './sim-bus';
import type { SimWorld } from './sim-world';

const noMetric = { inc: () => undefined, dec: () => undefined, observe: () => undefined, set: () => undefined };
/** Metrics that nobody reads. */
export const noMetrics = {
  counter: () => noMetric,
  gauge: () => noMetric,
  histogram: () => noMetric,
  forService: () => noMetrics,
  contentType: '',
  render: async () => '',
} as unknown as Metrics;

/** Every error that a process logs as unexpected is a bug, except while the database or the broker is away. */
export function loudLogger(world: Pick<SimWorld, 'failed'>, isAlive: () => boolean): Logger {
  const expected = (error: unknown): boolean => error instanceof StoreUnavailable || error instanceof CommitLost;
  return {
    ...silentLogger,
    error: (message, fields) => {
      if (isAlive() && !expected(fields?.['error'])) world.failed(fields?.['error'] ?? message);
    },
  };
}
