import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FunctionAnswer, FunctionCall } from '../../plugins/function-platform';

/** Deploys code and invokes it. */
export type Run = (code: string, call?: Partial<FunctionCall>) => Promise<FunctionAnswer>;

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Calls that a function makes: only to the hosts that it may, and bounded. */
export function fetchTests(run: Run): void {
  describe('fetch', () => {
    let server: Server;
    let origin: string;
    const seen: Seen[] = [];
    beforeAll(async () => {
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
          response.writeHead(201, { 'content-type': 'application/json', 'x-seen': 'yes' }).end('{"id":"ä"}');
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      seen.length = 0;
    });
    afterAll(() => {
      server.close();
      server.closeAllConnections();
    });
    const granted = (hosts: string[], secrets: { value: string; origin: string }[] = []) => ({
      payload: { origin }, grants: { hosts, secrets },
    });

    it('calls a host that is granted', async () => {
      const code = `exports.handler = async ({ origin }) => {
        const response = await fetch(origin + '/orders?x=1',
          { method: 'POST', headers: { 'X-Key': 'k' }, body: JSON.stringify({ a: 'ö' }) });
        return [response.ok, response.status, response.headers.get('X-Seen'), await response.json()];
      };`;
      expect(await run(code, granted(['127.0.0.1']))).toMatchObject({
        kind: 'returned', value: [true, 201, 'yes', { id: 'ä' }],
      });
      expect(seen).toMatchObject([{ method: 'POST', url: '/orders?x=1', headers: { 'x-key': 'k' }, body: '{"a":"ö"}' }]);
    });

    it('rejects for any other, so that the handler can go on', async () => {
      const code = `exports.handler = async ({ origin }) => {
        const tries = [origin, 'https://not-granted.example/', 'file:///etc/passwd', 'no url'];
        const all = await Promise.all(tries.map((url) => fetch(url).then(() => 'called', (error) => error.message)));
        return all;
      };`;
      const answer = await run(code, granted(['granted.example']));
      expect(answer).toMatchObject({ kind: 'returned' });
      const { value } = answer as { value: unknown[] };
      for (const message of value) expect(message).toEqual(expect.stringMatching(/capability|http/));
      expect(seen).toEqual([]);
    });

    it('sends a granted secret to its own origin only, and masks it in what is logged and thrown', async () => {
      const code = `exports.handler = async ({ origin, other }) => {
        const headers = { Authorization: 'Bearer s3cret-value' };
        const sent = await fetch(origin, { headers }).then(({ status }) => status);
        const refused = await fetch(other, { headers }).then(() => 'called', () => 'rejected');
        console.log('with s3cret-value');
        throw new Error([sent, refused, 's3cret-value'].join(' '));
      };`;
      const other = origin.replace('127.0.0.1', 'localhost');
      const { grants } = granted(['127.0.0.1', 'localhost'], [{ value: 's3cret-value', origin }]);
      const answer = await run(code, { payload: { origin, other }, grants });
      expect(answer).toMatchObject({ kind: 'threw', message: expect.stringContaining('201 rejected ***') });
      expect(JSON.stringify(answer)).not.toContain('s3cret-value');
      expect(seen).toHaveLength(1);
    });
  });
}
