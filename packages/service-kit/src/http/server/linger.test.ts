import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '@sluice/ports/testing';
import { createHttpServer, type HttpServer } from './http-server';
import { Lingering } from './linger';
import { OpenConnections } from '../request/open-connections';

let server: HttpServer;
beforeEach(async () => {
  server = createHttpServer({
    port: 0, host: '127.0.0.1',
    // Refuses every request before its body is read.
    app: (_request, response) => void response.writeHead(413, { 'Content-Length': 9 }).end('too large'),
  });
  await server.start();
});
afterEach(() => server.stop());

interface Caller {
  socket: Socket;
  /** What was read until the server closed its direction. */
  answer(): Promise<string>;
}

/** Begins a request with a body of so many bytes, and reads nothing yet. */
async function begin(length: number, { version = '1.1', headers = '', port = server.port() } = {}): Promise<Caller> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let [text, failure] = ['', undefined as Error | undefined];
  socket.on('data', (data) => (text += data.toString())).on('error', (error) => (failure = error)).pause();
  await once(socket, 'connect');
  socket.write(`POST / HTTP/${version}\r\nHost: a\r\n${headers}Content-Length: ${length}\r\n\r\n`);
  const answer = async (): Promise<string> => {
    if (!failure) await Promise.race([once(socket.resume(), 'end'), once(socket, 'close')]);
    if (failure) throw failure;
    return text;
  };
  return { socket, answer };
}

const refusal = /^HTTP\/1\.1 413 .*too large$/s;
const closing = { headers: 'Connection: close\r\n' };

test.each([
  ['that asks to close', closing],
  ['of HTTP/1.0', { version: '1.0' }],
])('an answer reaches a caller %s and sends its whole body before it reads', async (_who, request) => {
  const length = 16 * 1024 * 1024;
  const { socket, answer } = await begin(length, request);
  const chunk = Buffer.alloc(65_536, ' ');
  for (let sent = 0; sent < length && !socket.destroyed; sent += chunk.length)
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  expect(await answer()).toMatch(refusal);
  socket.destroy();
});

test('a caller that has sent everything is not waited for', async () => {
  const { socket, answer } = await begin(3, closing);
  socket.write('abc');
  expect(await answer()).toMatch(refusal);
  socket.destroy();
});

test('a caller that stops sending is cut', async () => {
  const plain = createServer((_request, response) => void response.writeHead(413, { 'Content-Length': 9 }).end('too large'));
  new OpenConnections(plain);
  new Lingering(plain);
  let closed = 0;
  plain.on('connection', (connection) => connection.once('close', () => (closed += 1)));
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const { socket, answer } = await begin(1_000_000, { ...closing, port: (plain.address() as AddressInfo).port });
  socket.write('some of it');
  expect(await answer()).toMatch(refusal);
  expect(closed).toBe(0);
  await until('the server has closed the connection', () => closed === 1);
  socket.destroy();
  plain.close();
});

test('a stop of the server does not wait for one that sends on and on', async () => {
  const { socket, answer } = await begin(1_000_000_000, closing);
  const sending = setInterval(() => void socket.write('more'), 20);
  expect(await answer()).toMatch(refusal);
  await server.stop();
  clearInterval(sending);
  socket.destroy();
}, 20_000);
