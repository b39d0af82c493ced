import { silentLogger } from '@sluice/ports';
import { createTicker } from './create-ticker';

/** A task whose runs end when the test lets them. */
function controlled() {
  const runs: { end: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  const waiting: (() => void)[] = [];
  const run = (signal: AbortSignal) => new Promise<void>((end, fail) => {
    runs.push({ end, fail, signal });
    waiting.shift()?.();
  });
  const begun = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { run, runs, begun };
}

test('never overlaps itself: the wait starts when a run has ended', async () => {
  const { run, runs, begun } = controlled();
  const ticker = createTicker({ name: 't', everyMs: 1, run, logger: silentLogger });
  const first = begun();
  ticker.start();
  await first;
  const second = begun();
  // Several periods.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await second;
  runs[1]?.end();
  await ticker.stop();
  expect(runs).toHaveLength(2);
});

test('an error is logged and the next run comes', async () => {
  const { run, runs, begun } = controlled();
  const logged: unknown[] = [];
  const ticker = createTicker({
    name: 't',
    everyMs: 1,
    run,
    logger: { ...silentLogger, error: (_message, fields) => void logged.push(fields) },
  });
  const first = begun();
  ticker.start();
  await first;
  const second = begun();
  expect(ticker.sinceLastSuccessMs()).toBe(Infinity);
  runs[0]?.fail(new Error('no'));
  await second;
  expect(logged).toEqual([{ task: 't', error: new Error('no') }]);
  runs[1]?.end();
  await ticker.stop();
  expect(Number.isFinite(ticker.sinceLastSuccessMs())).toBe(true);
});

test('stop aborts the run under way and waits for it', async () => {
  const { run, runs, begun } = controlled();
  const ticker = createTicker({ name: 't', everyMs: 1, run, logger: silentLogger });
  const first = begun();
  ticker.start();
  await first;
  let stopped = false;
  const stopping = ticker.stop().then(() => (stopped = true));
  await new Promise(setImmediate);
  expect([runs[0]?.signal.aborted, stopped]).toEqual([true, false]);
  runs[0]?.end();
  await stopping;
  expect(runs).toHaveLength(1);
});
