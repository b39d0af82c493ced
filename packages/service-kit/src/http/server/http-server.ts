import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type Logger, silentLogger } from '@sluice/ports';
import type { Metrics } from '../../observe/create-metrics';
import { Lingering } from './linger';
import { OpenConnections } from '../request/open-connections';
import { refuseUnreadable } from './refuse-unreadable';
import { limitRequestTime } from '../streams/request-deadline';
import { OpenStreams, ownConnection, type StreamLimits } from '../streams/open-streams';

export interface HttpServerOptions {
  /** An express app or any node:http listener. */
  app: RequestListener;
  /** 0: any free port. */
  port: number;
  /** SLUICE_HOST: an address, `loopback` for those that only this machine reaches, `all`. Default: all. */
  host?: string;
  /** Called for requests that never reach an app, because they could not be read. */
  logger?: Logger;
  metrics?: Metrics;
  /** Milliseconds headers and whole requests may take; a streamed body has a limit of its own. For tests. */
  timeouts?: { headersMs: number; requestMs: number };
  /** Bounds of uploads, downloads and event streams. */
  streams?: Partial<StreamLimits>;
}

/** A part of a lifecycle: listens, and stops by finishing the requests under way. */
export interface HttpServer {
  start(): Promise<void>;
  /**
   * Takes no new connection, closes idle ones, resolves when the last request is answered. Event streams end at once; uploads and
   * downloads may go on for the drain time and are cut then.
   */
  stop(): Promise<void>;
  /** The port in use. Throws before the start. */
  port(): number;
}

const usualTimeouts = { headersMs: 30_000, requestMs: 120_000 };

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { port, host = 'all' } = options;
  const streams = new OpenStreams(options.streams);
  options.metrics?.gauge(
    { name: 'http_open_streams', help: 'Uploads, downloads and event streams under way.' },
    (gauge) => gauge.set(streams.count),
  );
  let servers: Server[] = [];
  return {
    start: async () => {
      const first = await listen(options, streams, port, listenAddress(host));
      servers = [first];
      // If a machine has no IPv6, or another process uses the port there, the IPv4 address is enough.
      if (host === 'loopback')
        servers.push(
          ...(await listen(options, streams, portOf(first), '::1').then(
            (second) => [second],
            () => [],
          )),
        );
    },
    stop: async () => {
      const own = servers;
      servers = [];
      await Promise.all([...own.map(close), streams.stop()]);
    },
    port: () => {
      const [first] = servers;
      if (!first) throw new Error('the HTTP server has not started');
      return portOf(first);
    },
  };
}

/** Where to listen for a SLUICE_HOST; undefined: everywhere. Of `loopback` the address that every machine has. */
export const listenAddress = (host: string): string | undefined =>
  host === 'loopback' ? '127.0.0.1' : host === 'all' ? undefined : host;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listen(
  { app, logger = silentLogger, metrics, timeouts = usualTimeouts }: HttpServerOptions,
  streams: OpenStreams,
  port: number,
  host: string | undefined,
): Promise<Server> {
  const { headersMs, requestMs } = timeouts;
  const server = createServer({
    keepAliveTimeout: 65_000,
    headersTimeout: headersMs,
    // `limitRequestTime` instead, which a streamed body can lift.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5_000, headersMs),
    // Asked for by `refuseUnreadable`, which answers like the rest of the API.
    requireHostHeader: false,
  });
  server.on('connection', (socket) => ownConnection(socket, streams));
  const connections = new OpenConnections(server);
  const lingering = new Lingering(server);
  parts.set(server, { connections, lingering });
  limitRequestTime(server, connections, requestMs);
  refuseUnreadable(server, app, { logger, ...(metrics && { metrics }) });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => resolve(void server.off('error', reject)));
  });
  return server;
}

const parts = new WeakMap<Server, { connections: OpenConnections; lingering: Lingering }>();

async function close(server: Server): Promise<void> {
  // A connection kept alive by its client ends with the answer it is waiting for.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const closed = promisify(server.close.bind(server))();
  const { connections, lingering } = parts.get(server)!;
  const sweepOnce = (): void => {
    server.closeIdleConnections();
    lingering.cut();
    // Node counts a connection on which nothing was sent as one with a request, and waits for it.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  sweepOnce();
  const sweep = setInterval(sweepOnce, 100);
  await closed.finally(() => clearInterval(sweep));
}
