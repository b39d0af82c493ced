import type { Logger } from '@sluice/ports';
import type { RequestHandler } from 'express';
import { startWideEvent } from '../../log/wide-event';
import type { HistogramMetric, Metrics } from '../../observe/create-metrics';
import type { CallerAddress } from './caller-address';
import type { LoggedPath } from './hide-tokens';
import { requestIdOf } from '../../observe/request-id';
import { keepState, stateOf } from './request-state';

/** Characters of a path in a log line: no path of ours is longer, and nobody fills the log with 16 KiB a request. */
const maxLoggedPath = 256;

/** Gives every request its id, its log line at the end, and its place in the metrics. */
export function beginRequest(
  { logger, metrics, addressOf, loggedPath }: {
    logger: Logger; metrics: Metrics | undefined; addressOf: CallerAddress; loggedPath: LoggedPath;
  },
): RequestHandler {
  const durations = metrics && httpDurations(metrics);
  return (request, response, next) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    response.setHeader('X-Request-ID', requestId);
    const address = addressOf(request);
    const wide = startWideEvent(logger, 'request', {
      request_id: requestId,
      method: request.method,
      path: loggedPath(request.path).slice(0, maxLoggedPath),
      address,
    });
    keepState(response, { requestId, address, logger: logger.child({ request_id: requestId }), wide, route: 'unmatched' });
    const observe = durations?.start({ method: request.method });
    response.once('close', () => {
      const { route } = stateOf(response);
      const status = response.writableEnded ? response.statusCode : 499;
      observe?.({ route, status });
      wide.end(status >= 500 ? 'error' : 'info', { route, status });
    });
    next();
  };
}

/** Duration of requests by route, for whoever serves HTTP without express. Status 499: the client left. */
export function httpDurations(metrics: Metrics): HistogramMetric {
  return metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labels: ['method', 'route', 'status'],
  });
}
