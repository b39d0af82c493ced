import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionOf } from '../request/open-connections';

/** Milliseconds without a byte from the caller after which it is waited for no longer. */
const idleMs = 2_000;
/** Milliseconds that a caller may go on sending after its answer. */
const mostMs = 30_000;
/** Milliseconds that a caller still has once the server stops. */
const stoppingMs = 1_000;
const lookEveryMs = 250;

/**
 * Closes connections so that callers get to read their answer (RFC 9112, section 9.6). Where an answer ends a connection and the
 * caller is still sending its body, as with a 413, node would close both directions at once: what arrives afterwards is answered
 * with a reset, which makes the caller's system drop the answer that it has not read yet. Here only our direction is closed, and
 * what still arrives is read and dropped, for a while.
 */
export class Lingering {
  private readonly open = new Map<Socket, { since: number }>();

  /** @param server whose connections are followed by `OpenConnections` */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const destroySoon = socket.destroySoon.bind(socket);
      // Node calls it when an answer has ended that closes its connection.
      socket.destroySoon = () => {
        const request = connectionOf(socket)?.request;
        if (request === undefined || request.complete || socket.destroyed) destroySoon();
        else this.linger(socket, request, destroySoon);
      };
    });
  }

  /** To be called again and again while the server stops: callers that still send are cut after a second. */
  cut(): void {
    const before = performance.now() - stoppingMs;
    for (const [socket, { since }] of this.open) if (since < before) socket.destroy();
  }

  private linger(socket: Socket, request: IncomingMessage, close: () => void): void {
    const since = performance.now();
    this.open.set(socket, { since });
    let seen = { bytes: socket.bytesRead, at: since };
    const look = setInterval(() => {
      const now = performance.now();
      if (socket.bytesRead > seen.bytes) seen = { bytes: socket.bytesRead, at: now };
      if (now - seen.at > idleMs || now - since > mostMs) socket.destroy();
    }, lookEveryMs).unref();
    socket.once('close', () => {
      clearInterval(look);
      this.open.delete(socket);
    });
    request.once('end', close).resume();
    socket.end();
  }
}
