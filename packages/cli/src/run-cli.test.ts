import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './run-cli';

const examples = join(__dirname, '..', 'examples');
let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'sluice-cli-')); });
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

async function sluice(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const told = { out: '', error: '' };
  const output = { out: (text: string) => { told.out += `${text}\n`; }, error: (text: string) => { told.error += `${text}\n`; } };
  return { code: await runCli(args, folder, output), ...told };
}
const runExample = (event: unknown, ...more: string[]) => {
  put('event.json', event);
  return sluice('flow', 'run', join(examples, 'contacts.json'), 'event.json', ...more);
};

describe('sluice import', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['no address', ['import', 'a.zip'], { SLUICE_API_KEY: 'k' }, '--url'],
    ['another kind of address', ['import', 'a.zip', '--url', 'ftp://x.example'], { SLUICE_API_KEY: 'k' }, '--url is no http(s) address'],
    ['no key', ['import', 'a.zip', '--url', 'http://x.example'], {}, 'SLUICE_API_KEY must hold a key'],
    ['no file', ['import', 'a.zip', '--url', 'http://x.example'], { SLUICE_API_KEY: 'k' }, 'There is no file'],
  ])('needs what it works with: %s', async (_case, args, env, message) => {
    const told: string[] = [];
    const output = { out: (text: string) => told.push(text), error: (text: string) => told.push(text) };
    expect([await runCli(args, folder, output, env), told]).toEqual([2, [expect.stringContaining(message)]]);
  });
});

describe('sluice flow run', () => {
  test('shows what every step would send, and how the record would end', async () => {
    const { code, out } = await sluice('flow', 'run', join(examples, 'contacts.json'), join(examples, 'contact-created.json'));
    expect(out.split('\n').slice(0, 5)).toEqual([
      "Flow 'contacts' for an event of type 'contact.created'",
      '  - wanted   skip    skipped: when',
      '  ✓ contact  upsert  ok',
      expect.stringContaining('would send {"operation":"upsert","object_type":"contacts","entity":"contact"'),
      expect.stringContaining('gives {"entity":"contact","external_id":"ada@example.com","crm_id":"dry-run-crm-id-1"'),
    ]);
    expect([code, out]).toEqual([0, expect.stringContaining('Outcome: completed')]);
  });

  test('ends with 1 when the record would fail, and says why', async () => {
    const failed = await runExample({ event: 'contact.created', data: { email: 'nobody' } });
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining("✗ contact  upsert  failed: mapping 'email'")]);
    const skipped = await runExample({ event: 'contact.created', data: {} });
    expect([skipped.code, skipped.out]).toEqual([0, expect.stringContaining('Outcome: skipped: no e-mail address')]);
  });

  test('runs every entry of entities, accepts events of other sources, and prints JSON', async () => {
    const entity = (name: string) => ({ type: 'contact', externalObjectId: name, properties: { email: `${name}@x.test` } });
    const entities = ['a', 'b'].map(entity);
    const named = await runExample({ event: 'sync', entities }, '--flow', 'contacts', '--json');
    expect(JSON.parse(named.out).map((run: { steps: { output: { external_id: string } }[] }) => run.steps[1]!.output.external_id))
      .toEqual(['a', 'b']);
    const own = await runExample({ event_type: 'contact.updated', payload: { email: 'a@x.test' }, external_id: 'A' });
    expect([own.code, own.out]).toEqual([0, expect.stringContaining('"external_id":"A"')]);
  });

  test.each<[string, unknown, string]>([
    ['no flow waits for it', { event: 'cart.left', data: {} }, "'cart.left' of 'event_api'. Flows wait for 'contact.*' of 'event_api'."],
    ['no type', { data: {} }, 'The event has no "event" (its type).'],
    ['data and entities', { event: 'x', data: {}, entities: [] }, 'needs "data" or "entities", and not both'],
    ['a broken entry', { event: 'x', entities: [{ type: 'contact' }] }, 'entities[0] needs "type" and "externalObjectId"'],
    ['no JSON', '{\n  "event": oops }', 'event.json is no JSON:'],
    ['no object', [], 'The event is no JSON object.'],
  ])('says what is wrong with an event: %s', async (_name, event, message) => {
    const { code, error } = await runExample(event);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  test('names every problem of a config that could not be saved, and files that are not there', async () => {
    put('event.json', { event: 'x', data: {} });
    put('bad.json', { version: '3.0', entities: [{ name: 'a', schemas: {} }], flows: [{ name: 'f' }], nope: 1 });
    const bad = await sluice('flow', 'run', 'bad.json', 'event.json');
    expect([bad.code, bad.error]).toEqual([2, expect.stringContaining('bad.json is no config that could be saved:')]);
    expect(bad.error).toContain('nope');
    expect(bad.error.split('\n').length).toBeGreaterThan(3);
    const gone = await sluice('flow', 'run', 'gone.json', 'event.json');
    expect(gone.error).toContain('there is no such file');
    const unknown = await runExample({ event: 'x', data: {} }, '--flow', 'orders');
    expect(unknown.error).toContain("There is no flow 'orders'. The config has contacts.");
  });

  test('names the targets of a promotion', async () => {
    expect(await sluice('plugin', 'promote', 'score', '--target', 'prod')).toEqual(
      { code: 2, out: '', error: "--target is staging or live, not 'prod'.\n" });
  });

  test('says that a plugin has logged nothing', async () => {
    const server = createServer((request, answer) => {
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify(request.url!.includes('/logs') ? { items: [], next_cursor: null }
        : { items: [{ id: '7', name: 'score' }], total: 1 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = { SLUICE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, SLUICE_API_KEY: 'key' };
    const told: string[] = [];
    const output = { out: (text: string) => void told.push(text), error: (text: string) => void told.push(text) };
    await runCli(['plugin', 'logs', 'score'], folder, output, env);
    await runCli(['plugin', 'logs', 'score', '--level', 'warn'], folder, output, env);
    expect(told).toEqual(['score has logged nothing yet.', 'score has logged nothing of this kind.']);
    server.close();
    server.closeAllConnections();
  });

  test('prints its usage', async () => {
    expect(await sluice('help')).toMatchObject({ code: 0, out: expect.stringContaining('sluice flow run <config') as string });
    expect(await sluice('flow', 'walk')).toMatchObject({ code: 2, error: expect.stringContaining('Usage:') as string });
    expect((await sluice('flow', 'run', 'a', 'b', '--fast')).error).toContain("Unknown option '--fast'");
  });
});

describe('sluice export verify', () => {
  test.each([
    ['is no archive', 'no zip', 1, 'The package is not whole'], ['does not exist', null, 2, 'There is no file'],
  ])('tells of a file that %s', async (_name, content, code, words) => {
    if (content !== null) put('package.zip', content);
    const told = await sluice('export', 'verify', 'package.zip');
    expect([told.code, told.out + told.error]).toEqual([code, expect.stringContaining(words)]);
  });

  test('prints JSON', async () => {
    put('package.zip', 'no zip');
    const { code, out } = await sluice('export', 'verify', 'package.zip', '--json');
    expect([code, JSON.parse(out)]).toEqual([1, { ok: false, error: expect.any(String) }]);
  });
});
