import { Worker } from 'node:worker_threads';
import { monotonicClock, silentLogger } from '@sluice/ports';
import { createRecordingLogger } from '@sluice/ports/testing';
import { createMetrics, createMonotonicClock } from '@sluice/service-kit';
import { eventually } from '@sluice/testkit';
import { createWorkThreads, type RunOptions, type WorkThreadsOptions } from './create-work-threads';
import { scriptedWorker } from './test-support';

/** Jobs of the scripted thread: any name, a text in, a text out. */
type Jobs = Record<string, (input: string) => string>;

const pools: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});
const start = (code = 'return input', options: Partial<WorkThreadsOptions> = {}, shared?: Int32Array) => {
  const metrics = createMetrics({ service: 'test' });
  const pool = createWorkThreads<Jobs>({
    threads: 1,
    timeLimitMs: 20_000,
    budgetMsPerMinute: null,
    monotonicNow: createMonotonicClock(),
    logger: silentLogger,
    metrics,
    worker: scriptedWorker(code, shared),
    ...options,
  });
  pools.push(pool);
  const run = (text: string, group = 'o', more: RunOptions = {}) =>
    pool.run(group, 'echo', text, { bytes: text.length, ...more });
  /** The result, or the status and code of the refusal. */
  const told = (text: string, group?: string, more?: RunOptions) =>
    run(text, group, more).catch((error: { status: number; detail: unknown; headers: Record<string, string> }) =>
      [error.status, JSON.stringify(error.detail), `again in ${error.headers['Retry-After']} s`].join(' '),
    );
  return { pool, metrics, run, told };
};
const sharedNumber = () => new Int32Array(new SharedArrayBuffer(4));

test('runs a job by its name', async () => {
  const { pool } = start('return name + " " + input');
  expect([await pool.run('o', 'one', 'x'), await pool.run('o', 'two', 'y')]).toEqual(['one x', 'two y']);
});

test('the first job uses the thread that was started beforehand', async () => {
  const before = new Worker('', { eval: true }).threadId;
  const { pool, told } = start('return `thread ${thread}`', { threads: 2 });
  pool.start();
  expect([await told('one'), await told('two')]).toEqual([`thread ${before + 1}`, `thread ${before + 1}`]);
});

test('a job over its time is refused and its thread ended; the next one gets a new thread', async () => {
  const logger = createRecordingLogger();
  const { told, metrics } = start('if (input === "slow") for (;;); return input', { timeLimitMs: 1_500, logger });
  const answers = await Promise.all([told('slow', 'a'), told('quick', 'b'), told('slow', 'c'), told('quick too', 'd')]);
  expect(answers).toEqual([
    expect.stringMatching(/^422 .*config_too_complex/),
    'quick',
    expect.stringMatching(/^422 .*config_too_complex/),
    'quick too',
  ]);
  expect(logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => [fields.organization_id, fields.job])).toEqual([
    ['a', 'echo'],
    ['c', 'echo'],
  ]);
  expect(await metrics.render()).toMatch(/work_thread_seconds_count\{job="echo",outcome="too_complex",service="test"\} 2/);
});

test('a job over its memory is refused, and the process goes on', async () => {
  const { told } = start('const held = []; if (input === "large") for (;;) held.push(new Array(1e5).fill({})); return input');
  expect([await told('large'), await told('small')]).toEqual([expect.stringMatching(/^422 .*config_too_complex/), 'small']);
});

test('the event loop is not blocked while a job runs', async () => {
  const { told } = start('for (;;);', { timeLimitMs: 300 });
  let turns = 0;
  const beat = setInterval(() => (turns += 1), 1);
  await told('slow');
  clearInterval(beat);
  expect(turns).toBeGreaterThan(10);
});

test('a bug of a job is an error of that request alone', async () => {
  const { run, told } = start('if (input === "bad") throw new Error("a bug"); return input');
  const bad = run('bad', 'a').catch((error: Error) => error.message);
  expect([await told('good', 'b'), await bad]).toEqual(['good', 'a bug']);
});

test('a group with a long queue does not delay others, and is refused when its queue is full', async () => {
  const shared = sharedNumber();
  const { told } = start(
    'while (input.startsWith("flood") && Atomics.load(shared, 0) === 0); return input',
    { threads: 2, limits: { perGroup: { items: 3, bytes: 1_000 }, bytes: 1_500 } },
    shared,
  );
  const flood = [1, 2, 3, 4, 5].map((n) => told(`flood ${n}`, 'large'));
  expect(await told('other', 'small')).toBe('other');
  Atomics.store(shared, 0, 1);
  expect(await Promise.all(flood)).toEqual(['flood 1', 'flood 2', 'flood 3', 'flood 4', expect.stringMatching(/^429 /)]);
  const tooMuch = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((group) => told('x'.repeat(900), group)));
  expect(tooMuch.filter((answer) => answer.startsWith('503')).length).toBeGreaterThan(0);
});

describe('the budget of a group', () => {
  const limits = { perGroup: { items: 50, bytes: Infinity }, bytes: Infinity };
  /** A clock that stands still, and jobs that wait for `release`. A job of this many bytes costs twice the budget. */
  const budgeted = () => {
    const clock = { now: 1_000_000 };
    const shared = sharedNumber();
    const code = 'while (input === "wait" && Atomics.load(shared, 0) === 0); return input';
    const lab = start(code, { budgetMsPerMinute: 600_000, monotonicNow: monotonicClock(() => clock.now), limits }, shared);
    return { ...lab, clock, release: () => Atomics.store(shared, 0, 1) };
  };
  const costly = { bytes: 2 * 600_000 * 100_000 };
  const refused = expect.stringMatching(/^429 "Rate limit exceeded for org" again in \d\d+ s$/) as unknown;

  test('used up, refuses its jobs until some of it is there again; others go on', async () => {
    const { told, clock } = budgeted();
    expect(await told('one', 'a', costly)).toBe('one');
    expect([await told('two', 'a'), await told('other', 'b')]).toEqual([refused, 'other']);
    clock.now += 61_000;
    expect(await told('three', 'a')).toBe('three');
  });

  test('counts when a job begins, too: what was queued before it was used up is refused', async () => {
    const { told, release } = budgeted();
    const queued = [told('wait', 'a', costly), told('second', 'a'), told('third', 'a')];
    release();
    expect(await Promise.all(queued)).toEqual(['wait', refused, refused]);
  });
});

describe('what a job asks for', () => {
  const asking = 'const parts = await Promise.all([host.ask("read", input, 1), host.ask("read", input, 2)]); return parts.join()';

  test('is answered, several at a time, and the time of waiting does not count', async () => {
    const { run } = start(asking, { timeLimitMs: 1_500 });
    const read = async (text: string, number: number): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return `${text}${number}`;
    };
    expect(await run('x', 'o', { answers: { read } })).toBe('x1,x2');
  });

  test('may fail: the caller gets that very error, and the thread goes on', async () => {
    const { run, told } = start(`if (input === "plain") return input; ${asking}`);
    const away = new Error('the store is away');
    const read = async (_text: string, number: number): Promise<string> => {
      if (number === 2) throw away;
      return 'x';
    };
    await expect(run('x', 'o', { answers: { read } })).rejects.toBe(away);
    expect(await told('plain')).toBe('plain');
  });

  test('must be among the answers of the job', async () => {
    const { run } = start(asking);
    await expect(run('x')).rejects.toThrow(`the job 'echo' cannot ask for 'read'`);
  });

  test('a job that goes on after its answer is still bounded', async () => {
    const { told } = start(`await host.ask("read"); for (;;);`, { timeLimitMs: 200 });
    expect(await told('x', 'o', { answers: { read: async () => 'x' } })).toMatch(/^422 .*config_too_complex/);
  });
});

test('jobs that wait when the service stops are answered with 503', async () => {
  const { pool, told } = start('for (;;);');
  pool.start();
  const waiting = [told('a', 'a'), told('b', 'b')];
  await eventually(() => expect(waiting).toHaveLength(2));
  await pool.stop();
  expect(await Promise.all([...waiting, told('c')])).toEqual(
    [1, 2, 3].map(() => expect.stringMatching(/^503 .*service_unavailable/)),
  );
});
