import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
/** Milliseconds that the rest of a streamed body is read and dropped after its answer, so that the sender can read the answer. */
const lingerMs = 5_000;

/**
 * Gives the bodies of a server's requests a time limit, as node's `requestTimeout` does, but one that a streamed body can lift.
 * A request that is late is reported as node reports it, as `clientError`.
 */
export function limitRequestTime(server: Server, ms: number): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    const late = (): void => {
      if (request.complete) return;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!server.emit('clientError', error, request.socket)) request.socket.destroy();
    };
    timers.set(request, setTimeout(late, ms).unref());
    request.once('close', () => clearTimeout(timers.get(request)));
  });
}

/** Ends the time limit: the reader of the body has its own. Once it is answered, the rest of the body gets little time. */
export function liftRequestTime(request: IncomingMessage, response: ServerResponse): void {
  clearTimeout(timers.get(request));
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
