import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id';
import type { Health, HealthReport } from './create-health';
import type { Metrics } from './create-metrics';

/** Answers when the path is one of its own, and says whether it did. For node:http and express alike. */
export type HealthHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Serves `/livez`, `/readyz` (200 or 503, JSON with each check's state and reason) and `/metrics`. */
export function healthHandler({ health, metrics }: { health: Health; metrics?: Metrics }): HealthHandler {
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/livez': async (response) => answer(response, await health.live()),
    '/readyz': async (response) => answer(response, await health.ready()),
    ...(metrics && {
      '/metrics': async (response: ServerResponse) => send(response, 200, metrics.contentType, await metrics.render()),
    }),
  };
  return async (request, response) => {
    const serve = answers[(request.url ?? '').split('?', 1)[0] ?? ''];
    if (!serve || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    response.setHeader('X-Request-ID', requestIdOf(request.headers['x-request-id']));
    await serve(response);
    return true;
  };
}

const ownPaths = /^\/(livez|readyz|metrics)(\?|$)/;

/**
 * The listener of a process: `/livez`, `/readyz` and `/metrics`, and for every other path `next`; without it 404. A method other
 * than GET and HEAD is answered by `next` too.
 */
export function healthApp(options: { health: Health; metrics?: Metrics }, next: RequestListener = notFoundApp): RequestListener {
  const serve = healthHandler(options);
  return (request, response) => {
    if (!ownPaths.test(request.url ?? '')) return next(request, response);
    serve(request, response).then((served) => (served ? undefined : next(request, response)), () => void response.destroy());
  };
}

/** Answers 404, whatever is asked. */
export const notFoundApp: RequestListener = (request, response) => {
  response.setHeader('X-Request-ID', requestIdOf(request.headers['x-request-id']));
  send(response, 404, 'application/json; charset=utf-8', JSON.stringify({ detail: 'Not Found' }));
};

function answer(response: ServerResponse, report: HealthReport): void {
  send(response, report.status === 'ok' ? 200 : 503, 'application/json; charset=utf-8', JSON.stringify(report));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
