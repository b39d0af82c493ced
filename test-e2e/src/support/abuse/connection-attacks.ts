import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, attackAddress, type Arena, many, type Tally } from './attack';

/** A connection that sends what it likes. Errors are its own: the server may cut it at any time. */
function open(ingest: string): Socket {
  const socket = connect(Number(new URL(ingest).port), '127.0.0.1');
  // An attacker's connection is cut sooner or later; that is what is wanted.
  socket.on('error', () => undefined);
  return socket;
}

/** Notes the status of every answer that a connection gets. */
function watch(socket: Socket, tally: Tally): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    socket.on('data', (data) => {
      for (const [, status] of data.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
        tally.note(Number(status), performance.now() - begun);
    });
    socket.on('close', () => resolve());
    setTimeout(() => socket.destroy(), 10_000).unref();
  });
}

/** Sends one raw text over each of so many connections and waits for the answers. */
const raw = (name: string, answers: readonly number[], count: number, text: (arena: Arena) => string): Attack => ({
  name,
  answers,
  run: async (arena, tally) => {
    const request = text(arena);
    for (let start = 0; start < count; start += 50) {
      await Promise.all(
        many(Math.min(50, count - start), () => {
          const socket = open(arena.ingest);
          socket.write(request, 'latin1');
          return watch(socket, tally);
        }),
      );
    }
  },
});

const head = (key: string, more = ''): string =>
  [
    'POST /api/v1/events HTTP/1.1', 'Host: sluice', 'Content-Type: application/json', `X-Forwarded-For: ${attackAddress}`,
    `X-Api-Key: ${key}`, 'Connection: close', more,
  ].join('\r\n');

export const connectionAttacks: readonly Attack[] = [
  {
    name: '300 bodies of a byte every 100 ms',
    answers: [],
    run: async ({ ingest, attacker }) => {
      const sockets = many(300, () => open(ingest));
      for (const socket of sockets) socket.write(head(attacker.connectorKey, 'Content-Length: 10000000\r\n\r\n{'));
      for (let turn = 0; turn < 20; turn += 1) {
        await sleep(100);
        for (const socket of sockets) socket.write(' ');
      }
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: '1,000 connections that say nothing',
    answers: [],
    run: async ({ ingest }) => {
      const sockets = many(1_000, () => open(ingest));
      await sleep(2_000);
      for (const socket of sockets) socket.destroy();
    },
  },
  raw('header floods: 64 KB of headers', [431], 200, ({ attacker }) => {
    const flood = many(64, (index) => `X-Flood-${index}: ${'x'.repeat(1_000)}`);
    return head(attacker.connectorKey, [...flood, 'Content-Length: 0', '', ''].join('\r\n'));
  }),
  raw(
    'header floods: 3,000 short headers',
    [400, 422, 429, 431],
    100,
    ({ attacker }) =>
      `${head(attacker.connectorKey)}${many(3_000, (index) => `A${index}:\r\n`).join('')}Content-Length: 2\r\n\r\n{}`,
  ),
  raw('bytes that are no HTTP', [400], 300, () => '\x16\x03\x01\x02\x00\x01\x00 no such thing\r\n\r\n'),
  raw(
    'two lengths in one request',
    [400],
    100,
    ({ attacker }) =>
      head(attacker.connectorKey, 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n\r\n'),
  ),
];
