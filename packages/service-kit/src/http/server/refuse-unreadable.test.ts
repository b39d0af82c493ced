import { connect, type Socket } from 'node:net';
import { type Logger, silentLogger } from '@sluice/ports';
import { createMetrics } from '../../observe/create-metrics';
import { createHttpServer, type HttpServer } from './http-server';

const lines: { message: string; status?: number; request_id?: string; detail?: string; address?: string }[] = [];
const logger: Logger = { ...silentLogger, info: (message, fields) => void lines.push({ message, ...fields }) };
const metrics = createMetrics({ service: 'test' });
let server: HttpServer;
beforeAll(async () => {
  server = createHttpServer({
    port: 0, host: 'loopback', logger, metrics, timeouts: { headersMs: 1_000, requestMs: 1_500 },
    app: (request, response) => void request.on('end', () => response.end('fine')).resume(),
  });
  await server.start();
});
afterAll(() => server.stop());
beforeEach(() => { lines.length = 0; });

/** What the server says to raw text, until it closes the connection. */
function say(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket: Socket = connect(server.port(), '127.0.0.1', () => void socket.write(text));
    socket.on('data', (data) => (answer += data.toString())).on('error', () => undefined).on('close', () => resolve(answer));
  });
}

test.each([
  ['text that is not HTTP', 'nonsense\r\n\r\n', 400, 'Bad Request'],
  ['a header line without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n', 400, 'Bad Request'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400, 'Bad Request'],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'Bad Request',
  ],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
  [
    'headers over 16 KiB',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
  ],
  [
    'an expectation',
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    417,
    'Expectation Failed',
  ],
  ['CONNECT', 'CONNECT other:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'Method Not Allowed'],
  ['headers that do not end', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'Request Timeout'],
  ['a body that does not end', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 408, 'Request Timeout'],
])('%s is answered like every error', async (_what, text, status, detail) => {
  const [head = '', body = ''] = (await say(text)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/content-type: application\/json/i);
  expect(body).toContain(JSON.stringify({ detail }));
  const requestId = /x-request-id: (\S+)/i.exec(head)?.[1];
  expect(lines).toEqual([
    expect.objectContaining({
      message: 'request',
      route: 'unreadable',
      status,
      detail,
      request_id: requestId,
      address: '127.0.0.1',
    }),
  ]);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await metrics.render()).toMatch(
    new RegExp(
      `http_request_duration_seconds_count\\{method="unknown",route="unreadable",status="${status}",service="test"\\} [1-9]`,
    ),
  );
});

test('a connection on which nothing is sent is closed without an answer', async () => {
  expect([await say(''), lines]).toEqual(['', []]);
});

test('a good request is the app\'s', async () => {
  expect(await say('GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n')).toMatch(/fine/);
  expect(await say('GET / HTTP/1.0\r\n\r\n')).toMatch(/fine/);
  expect(lines).toEqual([]);
});

test('an answer that has begun is not followed by another', async () => {
  const begun = createHttpServer({
    port: 0,
    host: 'loopback',
    logger,
    timeouts: { headersMs: 100, requestMs: 150 },
    app: (_request, response) => void response.writeHead(200).write('begun'),
  });
  await begun.start();
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(
      begun.port(),
      '127.0.0.1',
      () => void socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'),
    );
    socket.on('data', (data) => (text += data.toString())).on('error', () => undefined).on('close', () => resolve(text));
  });
  expect(answer).toMatch(/begun/);
  expect(answer).not.toMatch(/408/);
  await begun.stop();
});
