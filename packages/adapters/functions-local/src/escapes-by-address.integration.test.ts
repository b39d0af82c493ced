import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FunctionCall } from '@sluice/ports';
import { handler, type Lab, openLab } from './test-support/lab';

/**
 * Addresses of this machine, of its network and of the metadata of clouds, in all ways to write them. All of them are granted.
 */
const forbidden: [name: string, host: string][] = [
  ['a loopback address of IPv6', '[::1]'],
  ['a loopback address of IPv4 within IPv6', '[::ffff:127.0.0.1]'],
  ['the same in hexadecimal', '[::ffff:7f00:1]'],
  ['a loopback address behind a translation', '[64:ff9b::7f00:1]'],
  ['a loopback address without its middle', '127.1'],
  ['a loopback address in octal numbers', '0177.0.0.01'],
  ['the address of all interfaces', '0.0.0.0'],
  ['the address of all interfaces of IPv6', '[::]'],
  ['a loopback address in other digits', '①②⑦.0.0.1'],
  ['a link-local address', '[fe80::1]'],
  ['the metadata of the cloud in IPv6', '[fd00:ec2::254]'],
  ['the metadata of the cloud by its name', 'metadata.google.internal'],
  ['the metadata of another cloud', '100.100.100.200'],
  ['a private network', '192.168.0.1'],
  ['the broadcast address', '255.255.255.255'],
];

describe('addresses that a plugin tries to reach', () => {
  let server: Server;
  let port: number;
  let seen: IncomingMessage[];
  let publicOnly: Lab;
  let open: Lab;
  /** Addresses that names have, in the order of the lookups; the last one stays. */
  let addresses: string[];
  beforeAll(async () => {
    server = createServer((request, answer) => {
      seen.push(request);
      const { searchParams } = new URL(request.url!, 'http://any.example');
      const to = searchParams.get('to');
      // Its connection is not used again.
      if (searchParams.has('close')) answer.setHeader('connection', 'close');
      if (to !== null) return void answer.writeHead(307, { location: to }).end();
      setTimeout(() => answer.end('{"late":true}'), Number(searchParams.get('wait') ?? 0));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    const bounds = { wallMs: 10_000 };
    publicOnly = openLab({
      bounds,
      allowPrivateTargets: false, resolve: (_name, _options, done) => done(null, [{ address: '169.254.169.254', family: 4 }]),
    });
    open = openLab({
      bounds, deniedTargets: ['127.0.0.2'],
      resolve: (_name, _options, done) => {
        const [address = ''] = addresses;
        if (addresses.length > 1) addresses = addresses.slice(1);
        done(null, [{ address, family: 4 }]);
      },
    });
  });
  beforeEach(() => {
    seen = [];
    addresses = ['127.0.0.1'];
  });
  afterAll(async () => {
    await Promise.all([publicOnly.close(), open.close()]);
    server.close();
    server.closeAllConnections();
  });

  const hosts = ['granted.example', 'other.example', 'moving.example',
    ...forbidden.map(([, host]) => new URL(`http://${host}`).hostname)];
  const call = (secrets: FunctionCall['grants']['secrets'] = []): Partial<FunctionCall> => ({ grants: { hosts, secrets } });
  const fetching = (url: string): string => handler(
    `return fetch(${JSON.stringify(url)}).then((r) => r.text(), (error) => 'refused: ' + error.message);`,
  );

  it.each(forbidden)('%s', async (_, host) => {
    const name = await publicOnly.deploy(fetching(`http://${host}:${port}/`), 'attacker');
    expect(await publicOnly.invoke(name, call())).toMatchObject({ value: expect.stringMatching(/^refused: /) });
    expect(seen).toEqual([]);
  });

  it.each([
    ['an address that is denied', 'http://127.0.0.2/', /private address/],
    ['the metadata of the cloud', 'http://169.254.169.254/latest/', /not covered|private address/],
    ['another scheme', 'file:///etc/passwd', /only http/],
    ['a user name', 'http://granted.example@evil.example/', /user name|not covered/],
    ['no address', 'http://', /no URL/],
  ])('a redirect to %s', async (_, to, message) => {
    const name = await open.deploy(fetching(`http://granted.example:${port}/?to=${encodeURIComponent(to)}`), 'attacker');
    const grants = { hosts: ['granted.example', '127.0.0.2'], secrets: [] };
    expect(await open.invoke(name, { grants })).toMatchObject({ value: expect.stringMatching(message) });
    expect(seen).toHaveLength(1);
  });

  it('a redirect to another covered host takes no header along', async () => {
    const to = encodeURIComponent(`http://other.example:${port}/`);
    const name = await open.deploy(handler(
      `return (await fetch('http://granted.example:${port}/?to=${to}', { headers: { 'X-Own': 'kept' } })).status;`), 'attacker');
    expect(await open.invoke(name, call())).toMatchObject({ value: 200 });
    expect(seen.map(({ headers }) => [headers.host, headers['x-own']])).toEqual(
      [[`granted.example:${port}`, 'kept'], [`other.example:${port}`, undefined]]);
  });

  it('a name whose address changes between two calls', async () => {
    addresses = ['127.0.0.1', '127.0.0.2'];
    const name = await open.deploy(handler(`const call = (path) => fetch('http://moving.example:${port}' + path)
        .then((r) => r.status, (e) => e.message);
      return [await call('/?close=1'), await call('/')];`), 'attacker');
    expect(await open.invoke(name, call())).toMatchObject({ value: [200, expect.stringContaining('private address')] });
    expect(seen).toHaveLength(1);
  });

  it('an answer that comes after the end of its call is nobody\'s', async () => {
    const name = await open.deploy(handler(`
      if (payload.first) void fetch('http://granted.example:${port}/?wait=150').then((r) => r.json()).then((late) =>
        { globalThis.late = late; });
      else await new Promise((r) => setTimeout(r, 300));
      return globalThis.late ?? null;`), 'attacker');
    expect(await open.invoke(name, { ...call(), payload: { first: true } })).toMatchObject({ kind: 'returned', value: null });
    expect(await open.invoke(name, call())).toMatchObject({ kind: 'returned', value: null });
  });
});
