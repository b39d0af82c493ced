import type { ResolveName } from '@sluice/rest-client';
import { startTargetsLab, type TargetsLab } from './test-support/targets-lab';

/** Answers of the name lookup, one for each connection; the last one repeats. */
const resolving = (...addresses: string[][]): ResolveName => {
  let turn = 0;
  return (_name, _options, done) => {
    const found = addresses[Math.min(turn++, addresses.length - 1)]!;
    done(null, found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
};

describe('a target with a private address is refused, and the error names it', () => {
  let lab: TargetsLab;
  const start = async (resolve: ResolveName = resolving(['10.0.0.1'])): Promise<void> => {
    lab = await startTargetsLab({ client: { allowPrivateTargets: false, resolve } });
  };
  afterEach(() => lab.close());
  const refused = (host: string) => ({
    ok: false, kind: 'permanent', code: 'target_refused', message: expect.stringContaining(host) as string,
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    ['[::ffff:a9fe:a9fe]', '[::ffff:a9fe:a9fe]'],
    ['[64:ff9b::10.0.0.1]', '[64:ff9b::a00:1]'],
    ['169.254.169.254', '169.254.169.254'],
    ['10.0.0.1', '10.0.0.1'],
    ['[fd00::1]', '[fd00::1]'],
    ['metadata.google.internal', 'metadata.google.internal'],
    ['erp', 'erp'],
  ])('%s as a base URL', async (host, named) => {
    await start();
    expect(await lab.send({}, { base_url: `http://${host}:8080/latest/meta-data` })).toMatchObject(refused(named));
    expect(await lab.send({ target: null, url: `http://${host}:8080/hook` })).toMatchObject(refused(named));
    expect(lab.unanswered).toEqual([]);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['one private address among public ones', ['93.184.216.34', '192.168.0.1']],
    ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
  ])('a public name that leads to %s', async (_what, addresses) => {
    await start(resolving(addresses));
    expect(await lab.send({}, { base_url: 'https://erp.example.com' })).toMatchObject(refused('erp.example.com'));
  });

  it('a name that resolves to a private address at connection time and to a public one afterwards', async () => {
    await start(resolving(['127.0.0.1'], ['93.184.216.34']));
    const base = { base_url: `http://erp.example.com:${new URL(lab.destination.url).port}` };
    expect(await lab.send({}, base)).toMatchObject(refused('erp.example.com'));
    expect(lab.destination.received).toEqual([]);
  });

  it('a token endpoint', async () => {
    await start();
    lab.credentials.erp = {
      type: 'oauth2_client_credentials',
      data: { token_url: 'http://169.254.169.254/token', client_id: 'c', client_secret: 's3cret' },
    };
    const answer = await lab.send({}, { base_url: 'https://erp.example.com', credential_name: 'erp' });
    expect(answer).toMatchObject(refused('169.254.169.254'));
    expect(JSON.stringify(answer)).not.toContain('s3cret');
  });

  it('a redirect to it is not followed', async () => {
    lab = await startTargetsLab();
    lab.destination.answerNext({ status: 307, headers: { Location: `${lab.destination.url}/internal` } });
    expect(await lab.send()).toMatchObject({ ok: false, kind: 'permanent', code: 'target_redirected', status: 307 });
    expect(lab.destination.received.map(({ path }) => path)).toEqual(['/api/orders']);
  });

  it('a user name and a password in a URL', async () => {
    await start();
    const answer = await lab.send({ target: null, url: 'https://ada:p4ssword@erp.example.com' });
    expect(answer).toMatchObject({ ok: false, kind: 'permanent', code: 'target_refused' });
    expect(JSON.stringify(answer)).not.toContain('p4ssword');
  });
});
