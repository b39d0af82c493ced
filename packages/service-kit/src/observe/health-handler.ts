import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from '../http/request-id';
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

/** The whole listener of a service that serves nothing but its health: any other path is 404. */
export function healthApp(options: { health: Health; metrics?: Metrics }): RequestListener {
  const serve = healthHandler(options);
  return (request, response) => {
    serve(request, response).then((served) => {
      if (served) return;
      response.writeHead(404, {
        'Content-Type': 'application/json; charset=utf-8',
        'X-Request-ID': requestIdOf(request.headers['x-request-id']),
      });
      response.end(JSON.stringify({ detail: 'Not Found' }));
    }, () => void response.destroy());
  };
}

function answer(response: ServerResponse, report: HealthReport): void {
  send(response, report.status === 'ok' ? 200 : 503, 'application/json; charset=utf-8', JSON.stringify(report));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
