import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connectionOf, type OpenConnections } from '../request/open-connections';

/** Milliseconds that the rest of a streamed body is read and dropped after its answer, so that the sender can read the answer. */
const lingerMs = 5_000;
/** Milliseconds between two looks at the open connections: by so much a request may exceed its limit. */
const lookEveryMs = 1_000;

/**
 * Gives the requests of a server a time limit, as node's `requestTimeout` does, but one that a streamed body can lift. A request
 * that is late is reported as node reports it, as `clientError`. One timer looks at all connections: a timer for each request
 * costs more than the limit is worth.
 */
export function limitRequestTime(server: Server, connections: OpenConnections, ms: number): void {
  const look = setInterval(() => {
    const before = performance.now() - ms;
    for (const socket of connections) {
      const newest = connectionOf(socket);
      if (!newest?.isLimited || newest.request.complete || newest.since > before) continue;
      newest.isLimited = false;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!server.emit('clientError', error, socket)) socket.destroy();
    }
  }, Math.min(lookEveryMs, ms / 4)).unref();
  server.once('close', () => clearInterval(look));
}

/** Ends the time limit: the reader of the body has its own. Once it is answered, the rest of the body gets little time. */
export function liftRequestTime(request: IncomingMessage, response: ServerResponse): void {
  const own = connectionOf(request.socket);
  if (own?.request === request) own.isLimited = false;
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}
