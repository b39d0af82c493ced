import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveParent } from '../child';

/** Requests below `/slow` are answered after this time, all others at once. */
const slowMs = 5_000;

/** What came in at a path. Milliseconds since the epoch. */
export interface Received {
  requests: number;
  firstAt: number;
  lastAt: number;
}

/** REST destinations in a process of their own: `/<name>/...` is the destination of that name, `/slow/...` a slow one. */
const received = new Map<string, Received>();
const server = createServer((request, response) => {
  const name = (request.url ?? '').split('/')[1] ?? '';
  request.resume().on('end', () => {
    const now = Date.now();
    const { requests, firstAt } = received.get(name) ?? { requests: 0, firstAt: now };
    received.set(name, { requests: requests + 1, firstAt, lastAt: now });
    const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    if (name === 'slow') void sleep(slowMs).then(answer);
    else answer();
  });
});
const calls = {
  start: async (_: null): Promise<{ url: string }> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  received: async (name: string): Promise<Received> => received.get(name) ?? { requests: 0, firstAt: 0, lastAt: 0 },
  forget: async (_: null): Promise<void> => received.clear(),
};
export type DestinationCalls = typeof calls;
serveParent(calls);
