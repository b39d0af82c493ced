import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** The direction of bytes through the proxy. */
export type Direction = 'toServer' | 'toClient';
/** What happens to a piece of data: `pass`, `drop` (swallowed in silence) or `reset` (its connection is torn down). */
export type Fate = 'pass' | 'drop' | 'reset';

/** A TCP proxy whose directions can be cut, for fault tests. */
export interface CutProxy {
  readonly port: number;
  /** Open client connections. */
  connections(): number;
  /** Drops all bytes in this direction (default: both) and keeps connections open. */
  blackhole(...directions: Direction[]): void;
  /** Tears down every connection and refuses new ones until `heal`. */
  cut(): void;
  /** Decides over every piece of data until `heal`. */
  filter(decide: (direction: Direction, data: Buffer) => Fate): void;
  /** Everything passes again. Closed connections stay closed, dropped bytes stay lost. */
  heal(): void;
  /** Ends the proxy and its connections. */
  stop(): Promise<void>;
}

/** Starts a proxy in front of `targetPort` of 127.0.0.1, on `port` or a free one. */
export async function cutProxy(targetPort: number, options: { port?: number } = {}): Promise<CutProxy> {
  let decide: (direction: Direction, data: Buffer) => Fate = () => 'pass';
  let refusing = false;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    if (refusing) return void client.resetAndDestroy();
    clients.add(client);
    client.on('close', () => clients.delete(client));
    join(client, connect(targetPort, '127.0.0.1'), (direction, data) => decide(direction, data));
  });
  const port = await listening(server, options.port ?? 0);
  return {
    port,
    connections: () => clients.size,
    blackhole: (...directions) => {
      const gone = directions.length > 0 ? directions : ['toServer', 'toClient'];
      decide = (direction) => (gone.includes(direction) ? 'drop' : 'pass');
    },
    cut: () => {
      refusing = true;
      for (const client of clients) client.resetAndDestroy();
    },
    filter: (decider) => (decide = decider),
    heal: () => {
      refusing = false;
      decide = () => 'pass';
    },
    stop: async () => {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(client: Socket, target: Socket, decide: (direction: Direction, data: Buffer) => Fate): void {
  const pipe = (from: Socket, to: Socket, direction: Direction): void => {
    from.on('data', (data) => {
      const fate = decide(direction, data);
      if (fate === 'reset') client.resetAndDestroy();
      else if (fate === 'pass' && !to.write(data)) from.pause();
    });
    to.on('drain', () => from.resume());
    from.on('end', () => to.end());
    // An error is always followed by 'close', where both sides are ended.
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  };
  client.setNoDelay(true);
  target.setNoDelay(true);
  pipe(client, target, 'toServer');
  pipe(target, client, 'toClient');
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
