import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveParent } from '../child';

/** What was polled since the last call. */
export interface PolledWindow {
  polls: number;
  /** Milliseconds between two polls of one list beyond `intervalMs`, of polls that were not the first of their list; sorted. */
  lateMs: number[];
}

/** The answer of every list takes this long. */
const answerMs = 50;

const lastAt = new Map<string, number>();
let [intervalMs, polls] = [0, 0];
let lateMs: number[] = [];

/** Lists that answer slowly, in a process of their own; each path is a list that never changes. */
const server = createServer((request, response) => {
  const [path, now] = [request.url ?? '', performance.now()];
  const before = lastAt.get(path);
  lastAt.set(path, now);
  polls += 1;
  if (before !== undefined) lateMs.push(now - before - intervalMs);
  void sleep(answerMs).then(() =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([{ id: path, name: 'the same' }])));
});

const calls = {
  start: (_: null): Promise<string> => new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
  }),
  /** Forgets all polls; lists are polled every `interval` milliseconds from now on. */
  begin: async (interval: number): Promise<void> => {
    lastAt.clear();
    [intervalMs, polls, lateMs] = [interval, 0, []];
  },
  /** How many lists were polled since `begin`. */
  seen: async (_: null): Promise<number> => lastAt.size,
  take: async (_: null): Promise<PolledWindow> => {
    const taken = { polls, lateMs: lateMs.sort((one, other) => one - other) };
    [polls, lateMs] = [0, []];
    return taken;
  },
};
export type SlowListsCalls = typeof calls;
serveParent(calls);
