import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allRoutes } from './all-routes';
import { serveControl } from './control/serve-control';
import { createRouter } from './http/router';
import { sendAnswer, serveCall, type ReadRequest } from './http/serve-call';
import { SimulatorState, type SimulatorOptions } from './state/simulator-state';

/** A stand-in for the CRM (docs/reference/crm-simulator.md). Several may run in one process. */
export interface CrmSimulator {
  /** Listens; port 0 takes any free one. Rejects when the port is taken. */
  start(port: number, host?: string): Promise<{ url: string; port: number }>;
  /** Cuts open connections and stops listening. Harmless when not started. */
  stop(): Promise<void>;
  /** Requests served so far: shows whether a snapshot can have anything new. */
  requests(): number;
  /** Its whole state, for tests in the same process. */
  readonly state: SimulatorState;
}

/** Longest request body; larger ones are refused with 413. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Longest request target; longer ones get the CRM's 414. */
const maxTargetLength = 16_000;
const maxHeaderBytes = 64 * 1024;

/** The whole body; undefined when it is too long. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** A simulator with the default portal, not listening yet. */
export function createCrmSimulator(options: SimulatorOptions = {}): CrmSimulator {
  const state = new SimulatorState(options);
  const router = createRouter(allRoutes);
  let server: Server | undefined;
  let requests = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBytes(request);
    if (!bytes)
      return sendAnswer(response, {
        status: 413,
        body: { status: 'error', message: 'Request body too large' },
        headers: { Connection: 'close' },
      });
    if ((request.url?.length ?? 0) > maxTargetLength)
      return sendAnswer(response, { status: 414, body: { status: 'error', message: 'URI Too Long' } });
    const [path = '/', queryText = ''] = (request.url ?? '/').split('?', 2);
    const read: ReadRequest = {
      method: request.method ?? 'GET', path, queryText, query: new URLSearchParams(queryText), bytes, headers: request.headers,
      baseUrl: `http://${request.headers.host ?? 'localhost'}`,
    };
    if (path.startsWith('/_sim/')) return sendAnswer(response, serveControl(state, read));
    return serveCall(state, router, read, response);
  }

  return {
    state,
    requests: () => requests,
    start(port, host = '127.0.0.1') {
      return new Promise((resolve, reject) => {
        const made = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
          // A client that disconnects in the middle of its body is no error; anything else is a bug and cuts the call.
          handle(request, response).catch(() => response.destroy()).finally(() => (requests += 1));
        });
        made.keepAliveTimeout = 30_000;
        made.once('error', reject);
        made.listen(port, host, () => {
          server = made;
          const address = made.address() as AddressInfo;
          resolve({ url: `http://${host}:${address.port}`, port: address.port });
        });
      });
    },
    stop() {
      const running = server;
      server = undefined;
      if (!running) return Promise.resolve();
      return new Promise((resolve, reject) => {
        running.close((error) => (error ? reject(error) : resolve()));
        running.closeAllConnections();
      });
    },
  };
}
