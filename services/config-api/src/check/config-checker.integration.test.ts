import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { silentLogger } from '@sluice/ports';
import { createMetrics } from '@sluice/service-kit';
import { eventually, sourceWorker } from '@sluice/testkit';
import { contactConfig } from '../test-support/contact-config';
import type { WorkerCode } from './check-thread';
import { createConfigChecker, type ConfigCheckerOptions } from './create-config-checker';

const realWorker = sourceWorker(join(__dirname, 'config-check.worker.ts'));
/** A worker that answers every job with the result of the code for its `text`. */
const worker = (code: string): WorkerCode => ({
  file: join(__dirname, '../test-support/scripted-check.worker.mjs'), options: { workerData: { code } },
});
const echo = 'return [{ type: text, loc: [], msg: "", input: null }]';

const checkers: ReturnType<typeof createConfigChecker>[] = [];
afterEach(async () => {
  for (const checker of checkers.splice(0)) await checker.stop();
});
const start = (options: Partial<ConfigCheckerOptions> = {}) => {
  const checker = createConfigChecker({
    threads: 1,
    timeLimitMs: 20_000,
    privateTargets: 'refused',
    fileRoot: null,
    logger: silentLogger,
    metrics: createMetrics({ service: 'test' }),
    worker: worker(echo),
    ...options,
  });
  checkers.push(checker);
  const check = (text: string, organization = 'o') =>
    checker.check(organization, { text, moment: 'save', credentialNames: null });
  /** The types of the problems, or the status and code of the refusal. */
  const told = (text: string, organization?: string) =>
    check(text, organization).then(
      (found) => found.map(({ type }) => type).join(),
      (error: { status: number; detail: unknown }) => [error.status, JSON.stringify(error.detail)].join(' '),
    );
  return { checker, check, told };
};

test('gives the result of checkConfig, for a save and for a publish', async () => {
  const { checker } = start({ worker: realWorker });
  const source = { name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com', credential_name: 'gone' } };
  const text = JSON.stringify({ ...contactConfig, sources: [source] });
  expect(await checker.check('o', { text, moment: 'save', credentialNames: null })).toEqual([]);
  expect(
    (await checker.check('o', { text, moment: 'publish', credentialNames: ['other'] })).map(({ type, loc }) => [type, ...loc]),
  ).toEqual([['missing_credential', 'body', 'sources', 0, 'config', 'credential_name']]);
  expect(await checker.check('o', { text, moment: 'publish', credentialNames: ['gone'] })).toEqual([]);
});

test('private targets are refused or allowed by the installation\'s setting', async () => {
  const source = { name: 'erp', type: 'rest', config: { base_url: 'http://10.0.0.1' } };
  const job = { text: JSON.stringify({ ...contactConfig, sources: [source] }), moment: 'save', credentialNames: null } as const;
  const typesWith = async (privateTargets: 'allowed' | 'refused') =>
    (await start({ worker: realWorker, privateTargets }).checker.check('o', job)).map(({ type }) => type);
  expect([await typesWith('refused'), await typesWith('allowed')]).toEqual([['private_target'], []]);
});

test('file sources watch only below the folder of their organization, where the installation watches folders', async () => {
  const jobOf = (location: string) => {
    const source = { name: 'drop', type: 'file', config: { location } };
    return { text: JSON.stringify({ ...contactConfig, sources: [source] }), moment: 'save', credentialNames: null } as const;
  };
  const watching = start({ worker: realWorker, fileRoot: '/srv/files' }).checker;
  const typesOf = async (checker: typeof watching, location: string) =>
    (await checker.check('o-1', jobOf(location))).map(({ type }) => type);
  for (const location of ['orders', '/srv/files/o-1/orders', 's3://exports/orders'])
    expect(await typesOf(watching, location)).toEqual([]);
  for (const location of ['../o-2/orders', '/srv/files/o-2/orders', '/etc'])
    expect(await typesOf(watching, location)).toEqual(['location_invalid']);
  const none = start({ worker: realWorker }).checker;
  expect([await typesOf(none, 'orders'), await typesOf(none, 's3://exports/orders')]).toEqual([['location_invalid'], []]);
});

test('the first check uses the thread that was started beforehand', async () => {
  const before = new Worker('', { eval: true }).threadId;
  const { checker, told } = start({ threads: 2, worker: worker('return [{ type: `thread ${thread}`, loc: [], msg: "", input: null }]') });
  checker.start();
  expect([await told('one'), await told('two')]).toEqual([`thread ${before + 1}`, `thread ${before + 1}`]);
});

test('a check over its time is refused and its thread ended; the next one gets a new thread', async () => {
  const { told } = start({
    timeLimitMs: 200,
    worker: worker('if (text === "slow") for (;;); return [{ type: text, loc: [], msg: "", input: null }]'),
  });
  const answers = await Promise.all([told('slow', 'a'), told('quick', 'b'), told('slow', 'c'), told('quick too', 'd')]);
  expect(answers).toEqual([
    expect.stringMatching(/^422 .*config_too_complex/),
    'quick',
    expect.stringMatching(/^422 .*config_too_complex/),
    'quick too',
  ]);
});

test('a check over its memory is refused, and the process goes on', async () => {
  const { told } = start({ worker: worker('const held = []; if (text === "large") for (;;) held.push(new Array(1e5).fill({})); return [{ type: text, loc: [], msg: "", input: null }]') });
  expect([await told('large'), await told('small')]).toEqual([expect.stringMatching(/^422 .*config_too_complex/), 'small']);
});

test('the event loop is not blocked while a document is checked', async () => {
  const { told } = start({ timeLimitMs: 300, worker: worker('for (;;);') });
  let turns = 0;
  const beat = setInterval(() => (turns += 1), 1);
  await told('slow');
  clearInterval(beat);
  expect(turns).toBeGreaterThan(10);
});

test('a bug of the check is an error of that request alone', async () => {
  const { check, told } = start({
    worker: worker('if (text === "bad") throw new Error("a bug"); return [{ type: text, loc: [], msg: "", input: null }]'),
  });
  const bad = check('bad', 'a').catch((error: Error) => error.message);
  expect([await told('good', 'b'), await bad]).toEqual(['good', 'a bug']);
});

test('an organization with a long queue does not delay others, and is refused when its queue is full', async () => {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const gated = worker(
    'while (text.startsWith("flood") && Atomics.load(shared, 0) === 0); return [{ type: text, loc: [], msg: "", input: null }]',
  );
  const { told } = start({
    threads: 2,
    limits: { perGroup: { items: 3, bytes: 1_000 }, bytes: 1_500 },
    worker: { ...gated, options: { workerData: { ...(gated.options!.workerData as object), shared } } },
  });
  const flood = [1, 2, 3, 4, 5].map((n) => told(`flood ${n}`, 'large'));
  expect(await told('other', 'small')).toBe('other');
  Atomics.store(shared, 0, 1);
  expect(await Promise.all(flood)).toEqual(['flood 1', 'flood 2', 'flood 3', 'flood 4', expect.stringMatching(/^429 /)]);
  const tooMuch = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((organization) => told('x'.repeat(900), organization)));
  expect(tooMuch.filter((answer) => answer.startsWith('503')).length).toBeGreaterThan(0);
});

test('checks that wait when the service stops are answered with 503', async () => {
  const { checker, told } = start({ worker: worker('for (;;);') });
  checker.start();
  const waiting = [told('a', 'a'), told('b', 'b')];
  await eventually(() => expect(waiting).toHaveLength(2));
  await checker.stop();
  expect(await Promise.all([...waiting, told('c')])).toEqual(
    [1, 2, 3].map(() => expect.stringMatching(/^503 .*service_unavailable/)),
  );
});
