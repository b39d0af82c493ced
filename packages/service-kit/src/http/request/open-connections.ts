import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The newest request of a connection: node reads the next one when the one before has arrived whole. */
export interface Connection {
  request: IncomingMessage;
  response: ServerResponse;
  /** When its headers had arrived; `performance.now()`. */
  since: number;
  /** Its body has the usual time limit. */
  isLimited: boolean;
}

/**
 * A property of the socket. A WeakMap with an entry for each request or connection costs the garbage collector more, the more
 * connections there are.
 */
const newest = Symbol('newest request');
type OwnSocket = Socket & { [newest]?: Connection };

/** The newest request of a connection; undefined before the first, and where no `OpenConnections` follow the server. */
export const connectionOf = (socket: Socket): Connection | undefined => (socket as OwnSocket)[newest];

/** The connections of a server. */
export class OpenConnections {
  private readonly open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.open.add(socket.once('close', () => this.open.delete(socket))));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      (request.socket as OwnSocket)[newest] = { request, response, since: performance.now(), isLimited: true };
    });
  }

  [Symbol.iterator](): IterableIterator<Socket> {
    return this.open.values();
  }
}
