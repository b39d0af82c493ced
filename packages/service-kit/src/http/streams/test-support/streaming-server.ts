import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Logger, silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { createMetrics } from '../../../observe/create-metrics';
import { createHttpApp } from '../../routes/create-http-app';
import { createHttpServer, type HttpServer } from '../../server/http-server';
import type { StreamLimits } from '../open-streams';
import type { ServerEvent } from '../stream-reply';
import { digest, streamingRoutes, type StreamingWorld } from './streaming-routes';

/** A server with the routes that stream. A test sets what its sink, its file and its events do. */
export class StreamingServer implements StreamingWorld {
  sink: StreamingWorld['sink'] = async (bytes) => digest(await buffer(bytes));
  openFile: StreamingWorld['openFile'] = async (wanted) => Readable.from(chunksOf(wanted));
  events!: StreamingWorld['events'];
  readonly opened: Readable[] = [];
  /** What was logged. */
  lines: Record<string, unknown>[] = [];
  readonly metrics = createMetrics({ service: 'server' });
  private server!: HttpServer;
  private readonly logger: Logger = {
    ...silentLogger,
    child: () => this.logger,
    info: (message, fields) => void this.lines.push({ message, ...fields }),
    error: (message, fields) => void this.lines.push({ message, ...fields }),
  };

  async start(streams: Partial<StreamLimits> = {}, requestMs = 30_000): Promise<void> {
    const { logger, metrics } = this;
    const routes = streamingRoutes(this);
    const app = createHttpApp({ routes, logger, metrics: createMetrics({ service: 'test' }), validateAnswers: true });
    this.server = createHttpServer({
      port: 0, host: 'loopback', app, logger, metrics, streams, timeouts: { headersMs: 30_000, requestMs },
    });
    await this.server.start();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.server.port()}${path}`;
  }

  /** A request whose body is written by hand. */
  raw(
    path: string, method: string, headers: Record<string, string | number>,
  ): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
    const sent = httpRequest({ port: this.server.port(), host: '127.0.0.1', path, method, headers });
    const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
    answer.catch(() => undefined);
    return { sent, answer };
  }

  /** Waits for a line of the log. */
  async lineOf(message = 'request'): Promise<Record<string, unknown>> {
    await until('the log line', () => this.lines.some((line) => line.message === message));
    return this.lines.find((line) => line.message === message)!;
  }
}

/** Starts a server before each test and stops it afterwards. Call it at the top level of a test file. */
export function eachStreamingServer(): () => StreamingServer {
  let server: StreamingServer;
  beforeEach(async () => {
    server = new StreamingServer();
    await server.start();
  });
  afterEach(() => server.stop());
  return () => server;
}

/** Bytes in pieces. */
export function* chunksOf(bytes: Buffer, size = 65_536): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Events of which none comes before the signal ends them. */
export async function* silentUntil(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}
