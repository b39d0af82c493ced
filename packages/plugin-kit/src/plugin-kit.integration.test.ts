import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceScript } from '@sluice/testkit';
import { bundlePlugin, newPlugin, PluginSandbox, readPluginFolder, readRecordedEvents } from '.';

const root = join(__dirname, '..', '..', '..');
const examples = join(__dirname, '..', 'examples');
const manual = readFileSync(join(root, 'docs', 'reference', 'plugins.md'), 'utf8');
let sandbox: PluginSandbox;
beforeAll(() => {
  const child = join(root, 'packages', 'adapters', 'functions-local', 'src', 'sandbox', 'main.ts');
  // A child that compiles sources first takes a gigabyte for that.
  sandbox = new PluginSandbox({ script: sourceScript(child), childMemoryMb: 2_560 });
});
afterAll(() => sandbox.close());

async function run(path: string) {
  const plugin = await readPluginFolder(path);
  return sandbox.run(plugin, await bundlePlugin(plugin), await readRecordedEvents(plugin));
}
const problemsOf = async (path: string): Promise<string[]> =>
  (await run(path)).flatMap(({ file, problems }) => problems.map((problem) => `${file}: ${problem}`));

describe('the worked examples', () => {
  test.each(readdirSync(examples))('%s gives what its events expect, and stands in the manual', async (name) => {
    const results = await run(join(examples, name));
    expect(results.length).toBeGreaterThanOrEqual(2);
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
    expect(manual).toContain(readFileSync(join(examples, name, 'src', 'handler.ts'), 'utf8').trim());
  });
});

describe('a new plugin', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-kit-'));
    path = join(folder, 'score');
    await newPlugin(path, 'score');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const put = (file: string, content: unknown): void =>
    writeFileSync(join(path, file), typeof content === 'string' ? content : JSON.stringify(content));

  test('has its name, and events that pass', async () => {
    expect(await readPluginFolder(path)).toMatchObject({ name: 'score', capabilities: {} });
    expect(await run(path)).toMatchObject([
      { file: 'high.json', problems: [], logs: [{ level: 'info', message: 'scored 250 high' }] },
      { file: 'low.json', problems: [] },
    ]);
  });

  test('is not written over what is there, nor under a name that is no folder', async () => {
    await expect(newPlugin(path, 'score')).rejects.toThrow('exists already');
    await expect(newPlugin(join(folder, 'x'), '../x')).rejects.toThrow("'../x' cannot name a plugin");
  });

  test('says which events do not give what they expect', async () => {
    put('plugin.json', { name: 'score', capabilities: { http: ['a.example'] } });
    put('src/handler.ts', `export const handler = async ({ payload }: any) => {
      if (payload.call) return { got: await fetch(payload.call).then((answer) => answer.status, (error) => error.message) };
      throw new Error('no total');
    };`);
    put('events/fetched.json', {
      payload: { payload: { call: 'https://a.example/x' } },
      fetch: [{ url: 'https://a.example/x', status: 204 }, { method: 'POST', url: 'https://a.example/y' }],
      expect: { output: { got: 200 } },
    });
    put('events/not-granted.json', { payload: { payload: { call: 'https://b.example/' } }, expect: { error: 'refused' } });
    put('events/not-recorded.json', { payload: { payload: { call: 'https://a.example/z' } }, expect: { output: { got: 'x' } } });
    expect(await problemsOf(path)).toEqual([
      'fetched.json: output.got is 204, not 200', 'fetched.json: it did not call POST https://a.example/y',
      'high.json: it failed: no total', 'low.json: it failed: no total',
      expect.stringMatching(/^not-granted.json: it was expected to fail, and returned .*not covered by the http capability/),
      expect.stringContaining('not-recorded.json: output.got is "fetch failed: no answer to GET https://a.example/z is'),
    ]);
  });

  test.each<[string, string, unknown, RegExp]>([
    ['a module of Node', 'src/handler.ts', "import fs from 'node:fs'; export const handler = () => fs;",
      /handler.ts:1.*node:fs|node:fs/s],
    ['a syntax error', 'src/handler.ts', 'export const handler = (', /cannot be bundled.*handler.ts:1:/s],
    ['a host that is not granted', 'src/handler.ts', "export const handler = () => fetch('https://b.example/')",
      /host, line \d+ .*b.example/s],
    ['no handler', 'src/handler.ts', 'export const other = 1;', /handler/],
    ['code that cannot be loaded', 'src/handler.ts', "throw new Error('no licence'); export const handler = () => 1;",
      /no licence/],
    ['no name', 'plugin.json', { capabilities: {} }, /needs "name"/],
    ['no capability', 'plugin.json', { name: 'a', capabilities: ['fs:read'] }, /capabilities.0: a namespace must be/],
    ['no JSON', 'events/high.json', '{', /high.json is no JSON/],
    ['an event without an expectation', 'events/high.json', { payload: {} }, /high.json: it needs "expect"/],
    ['an event with another key', 'events/high.json', { payload: {}, expects: {} }, /"expects" is none of/],
  ])('is refused with its place: %s', async (_, file, content, message) => {
    put(file, content);
    await expect(run(path)).rejects.toThrow(message);
  });
});
