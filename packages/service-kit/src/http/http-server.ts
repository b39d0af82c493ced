import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

export interface HttpServerOptions {
  /** An express app or any node:http listener. */
  app: RequestListener;
  /** 0: any free port. */
  port: number;
  /** Default: all addresses. */
  host?: string;
}

/** A part of a lifecycle: listens, and stops by finishing the requests under way. */
export interface HttpServer {
  start(): Promise<void>;
  /** Takes no new connection, closes idle ones, resolves when the last request is answered. */
  stop(): Promise<void>;
  /** The port in use. Throws before the start. */
  port(): number;
}

export function createHttpServer({ app, port, host }: HttpServerOptions): HttpServer {
  let server: Server | undefined;
  return {
    start: async () => {
      const own = createServer({ keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 120_000 }, app);
      await new Promise<void>((resolve, reject) => {
        own.once('error', reject);
        own.listen({ port, host }, () => resolve(void own.off('error', reject)));
      });
      server = own;
    },
    stop: async () => {
      if (!server) return;
      const own = server;
      server = undefined;
      // A connection kept alive by its client ends with the answer it is waiting for.
      own.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
      const closed = promisify(own.close.bind(own))();
      own.closeIdleConnections();
      const sweep = setInterval(() => own.closeIdleConnections(), 100);
      await closed.finally(() => clearInterval(sweep));
    },
    port: () => {
      if (!server) throw new Error('the HTTP server has not started');
      return (server.address() as AddressInfo).port;
    },
  };
}
