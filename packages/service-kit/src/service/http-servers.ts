import type { RequestListener } from 'node:http';
import { createHttpServer, type HttpServer } from '../http/server/http-server';
import { streamLimits } from '../http/streams/open-streams';
import { healthApp } from '../observe/health-handler';
import type { SettingValues } from '../settings';
import type { BaseDeclarations, ServiceContext } from './define-service';

/**
 * Adds the HTTP of a process to its lifecycle: the routes, with health and metrics beside them or, with SLUICE_METRICS_PORT, on a
 * port of their own. That one is served until the routes have stopped.
 * @returns the server of the routes
 */
export function addHttpServers(
  routes: RequestListener,
  settings: Pick<SettingValues<BaseDeclarations>, 'port' | 'host' | 'metricsPort'> & Parameters<typeof streamLimits>[0],
  { health, metrics, logger, lifecycle }: Omit<ServiceContext<unknown>, 'settings'>,
): HttpServer {
  const { port, host, metricsPort } = settings;
  const own = metricsPort !== null;
  if (own) {
    const observed = createHttpServer({ app: healthApp({ health, metrics }), port: metricsPort, host, logger });
    lifecycle.add('metrics', observed.start, observed.stop);
  }
  const app = own ? routes : healthApp({ health, metrics }, routes);
  const http = createHttpServer({ app, port, host, logger, metrics, streams: streamLimits(settings) });
  lifecycle.add('http', http.start, http.stop);
  return http;
}
