import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRestClient, type RestClientOptions } from './create-rest-client';
import type { RestClient } from './rest-client';

const options = { timeoutMs: 5_000 };
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('the client for addresses that users configure', () => {
  let server: Server;
  let port: number;
  let base: string;
  let seen: string[];
  let handler: Handler;
  let clients: RestClient[];
  const open = (given: Partial<RestClientOptions> = {}): RestClient => {
    const client = createRestClient({ allowPrivateTargets: true, ...given });
    clients.push(client);
    return client;
  };
  /** A client that may call public addresses only, with a name lookup of its own. */
  const publicOnly = (addresses: string[][]): RestClient => {
    let turn = 0;
    return open({
      allowPrivateTargets: false,
      resolve: (_name, _options, done) =>
        done(
          null,
          addresses[Math.min(turn++, addresses.length - 1)]!.map((address) => ({
            address,
            family: address.includes(':') ? 6 : 4,
          })),
        ),
    });
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    base = `http://127.0.0.1:${port}`;
  });
  beforeEach(() => {
    seen = [];
    clients = [];
    handler = (_request, response) => response.end('ok');
  });
  afterEach(() => Promise.all(clients.map((client) => client.close())));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('sends method, headers and body, and gives any status with its body', async () => {
    handler = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => response.writeHead(422, { 'x-reason': 'because' }).end(`${request.headers['x-key']} ${body}`));
    };
    const result = await open().call(
      { method: 'PUT', url: `${base}/orders/1?x=1`, headers: { 'x-key': 'k' }, body: '{"a":1}' },
      options,
    );
    expect(result).toMatchObject({
      answered: true,
      status: 422,
      headers: { 'x-reason': 'because' },
      body: Buffer.from('k {"a":1}'),
    });
    expect(seen).toEqual(['PUT /orders/1?x=1']);
  });

  it('follows no redirect', async () => {
    handler = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    expect(await open().call({ method: 'GET', url: base }, options)).toMatchObject({
      answered: true,
      status: 302,
      headers: { location: '/elsewhere' },
    });
    expect(seen).toHaveLength(1);
  });

  it('reuses connections', async () => {
    const ports = new Set<number | undefined>();
    handler = (request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    };
    const client = open();
    for (let turn = 0; turn < 10; turn += 1) await client.call({ method: 'GET', url: base }, options);
    // The next call may begin before undici counts the last connection as free.
    expect(ports.size).toBeLessThanOrEqual(2);
    expect(seen).toHaveLength(10);
  });

  it('keeps to the limit of connections per target', async () => {
    const waiting: ServerResponse[] = [];
    handler = (_request, response) => {
      waiting.push(response);
      // Answers when both connections are in use: a third request must not have arrived then.
      if (waiting.length === 2) setImmediate(() => waiting.splice(0).forEach((each) => each.end(String(seen.length))));
    };
    const client = open({ connections: 2 });
    const results = await Promise.all([1, 2, 3, 4].map(() => client.call({ method: 'GET', url: base }, options)));
    expect(results.map((result) => (result.answered ? String(result.body) : result.reason)).sort()).toEqual(['2', '2', '4', '4']);
  });

  it('reads no more of an answer than its limit', async () => {
    handler = (_request, response) => {
      response.write('x'.repeat(70_000));
      response.write('x'.repeat(70_000));
    };
    expect(await open({ maxBytes: 100_000 }).call({ method: 'GET', url: base }, options)).toMatchObject({
      answered: false,
      reason: 'answer_too_large',
    });
    expect(await open().call({ method: 'GET', url: base }, { ...options, maxBytes: 10 })).toMatchObject({
      answered: false,
      reason: 'answer_too_large',
    });
  });

  it.each(['headers', 'body'])('ends a call in time when the %s never arrive', async (what) => {
    handler = (_request, response) => {
      if (what === 'body') response.write('so far');
    };
    expect(await open().call({ method: 'GET', url: base }, { timeoutMs: 200 })).toEqual({
      answered: false,
      reason: 'timed_out',
      message: 'no answer within 200 ms',
    });
  });

  it('can be cancelled', async () => {
    const taken = new AbortController();
    handler = () => taken.abort();
    expect(await open().call({ method: 'GET', url: base }, { ...options, signal: taken.signal })).toMatchObject({
      reason: 'aborted',
    });
  });

  it('distinguishes a request that was certainly not sent from one that may have been', async () => {
    handler = (request) => request.socket.destroy();
    const client = open();
    expect(await client.call({ method: 'POST', url: base, body: 'x' }, options)).toMatchObject({ reason: 'no_answer' });
    expect(await client.call({ method: 'POST', url: 'http://127.0.0.1:1/', body: 'x' }, options)).toMatchObject({
      reason: 'not_sent',
    });
    expect(await client.call({ method: 'POST', url: base, headers: { 'x-key': 'a\nb' } }, options)).toMatchObject({
      reason: 'not_sent',
    });
    expect(seen).toHaveLength(1);
  });

  it.each(['ftp://shop.test/', 'file:///etc/passwd', 'no url', 'http://user:word@shop.test/', 'http://user@shop.test/'])(
    'calls no %s',
    async (url) => {
      expect(await open().call({ method: 'GET', url }, options)).toMatchObject({ reason: 'target_refused' });
    },
  );

  it('shows no password of a refused URL', async () => {
    expect(JSON.stringify(await open().call({ method: 'GET', url: 'http://user:word@shop.test/' }, options))).not.toContain(
      'word@',
    );
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0',
    '169.254.169.254',
    'localhost',
  ])('calls no private address: %s', async (host) => {
    const client = open({ allowPrivateTargets: false });
    expect(await client.call({ method: 'GET', url: `http://${host}:${port}/` }, options)).toMatchObject({
      answered: false,
      reason: 'target_refused',
    });
    expect(seen).toEqual([]);
  });

  it('never calls a metadata service nor what the operator denies, also where private addresses are allowed', async () => {
    const client = open({ allowPrivateTargets: true, deniedTargets: ['127.0.0.0/8'] });
    for (const host of ['168.63.129.16', '[fd00:ec2::254]', '127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
      expect(await client.call({ method: 'GET', url: `http://${host}:${port}/` }, options)).toMatchObject({ reason: 'target_refused' });
    }
    expect(seen).toEqual([]);
  });

  it('calls no name with a private address, alone or among others', async () => {
    const call = (client: RestClient) => client.call({ method: 'GET', url: `http://shop.test:${port}/` }, { timeoutMs: 500 });
    expect(await call(publicOnly([['10.0.0.1']]))).toMatchObject({
      reason: 'target_refused',
      message: 'shop.test is, or leads to, a private address',
    });
    expect(await call(publicOnly([['2606:4700::1111', '::ffff:127.0.0.1']]))).toMatchObject({ reason: 'target_refused' });
    expect(await call(publicOnly([['127.0.0.1']]))).toMatchObject({ reason: 'target_refused' });
    expect(await call(publicOnly([[]]))).toMatchObject({ reason: 'target_refused' });
    expect(seen).toEqual([]);
  });

  it('calls a name with a private address when that is allowed', async () => {
    expect(await open().call({ method: 'GET', url: `http://localhost:${port}/` }, options)).toMatchObject({
      answered: true,
      status: 200,
    });
  });
});
