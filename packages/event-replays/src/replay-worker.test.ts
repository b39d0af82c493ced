import { runContext } from '@sluice/background/test-support';
import { type ReplayJob, type ReplayJobStore, unitKeyText, type UnitKey } from '@sluice/ports';
import { partialPort, until } from '@sluice/ports/testing';
import { replayWorker, type ReplayWorkerDeps } from './replay-worker';

const job: ReplayJob = {
  id: 'job', organizationId: 'o', connectorId: 'c', match: { filter: {} }, force: false, dryRun: false, ratePerSecond: null,
  requestId: 'r', status: 'running', matched: 0, replayed: 0, skipped: 0, failed: 0, error: null, createdAt: new Date(),
  completedAt: null,
};
const unit = (n: number): UnitKey => ({ eventId: `evt_${n}`, entityIndex: 0, run: 'replay-job' });

/** A job over records that a test counts; what is started stays under way until the test ends or holds it. */
function lab(records: number, over: Partial<ReplayJob> = {}, left: UnitKey[] = [], window = 10) {
  const state = { at: 0, looked: 0, finished: false, ended: new Set<string>(), held: new Set<string>(), limits: [] as number[] };
  const replayJobs = partialPort<ReplayJobStore>('replay jobs', {
    open: async () => ({ ...job, ...over }),
    underWay: async () => left,
    settled: async (_id, units) => ({
      ended: units.filter((one) => state.ended.has(unitKeyText(one))),
      held: units.filter((one) => state.held.has(unitKeyText(one)) && !state.ended.has(unitKeyText(one))),
    }),
    step: async (_id, _fence, { limit }) => {
      state.limits.push(limit);
      const count = Math.min(limit, records - state.looked);
      const started = Array.from({ length: count }, (_, n) => unit(state.looked + n));
      state.looked += count;
      return { done: count < limit, matched: count, started };
    },
    finish: async () => void (state.finished = true),
  });
  const worker = replayWorker({
    replayJobs, window, monotonicNow: () => state.at, replayLostAfterMs: 1,
    configReader: { connector: async () => ({ deleted: false }) },
  } as unknown as ReplayWorkerDeps);
  const stop = new AbortController();
  const running = worker.run(runContext({ key: 'job', signal: stop.signal })).catch(() => undefined);
  const stopped = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { state, running, stopped };
}
const all = (count: number): string[] => Array.from({ length: count }, (_, n) => unitKeyText(unit(n)));

it('spreads a rate evenly, without a burst at the start', async () => {
  const { state, stopped } = lab(100, { ratePerSecond: 2 });
  all(100).forEach((key) => state.ended.add(key));
  await until('the first', () => state.looked === 1);
  state.at = 499;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(state.looked).toBe(1);
  state.at = 500;
  await until('the second', () => state.looked === 2);
  state.at = 1_500;
  await until('two more', () => state.looked === 4);
  await stopped();
});

it('keeps to its window, and lets held records wait beside it up to a bound', async () => {
  const { state, stopped } = lab(1_000);
  await until('the window is full', () => state.looked === 10);
  all(10).forEach((key) => state.held.add(key));
  await until('the next window', () => state.looked === 20);
  all(1_000).forEach((key) => state.held.add(key));
  await until('the bound of held records', () => state.looked >= 200);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(state.looked).toBeLessThanOrEqual(210);
  expect(Math.max(...state.limits)).toBeLessThanOrEqual(10);
  await stopped();
});

it('has more under way while records end soon, up to its bound', async () => {
  const { state, stopped } = lab(1_000, {}, [], 250);
  await until('the first window', () => state.looked === 100);
  for (const looked of [300, 550]) {
    all(state.looked).forEach((key) => state.ended.add(key));
    await until(`${looked} were looked at`, () => state.looked === looked);
  }
  await stopped();
});

it('ends when all was looked at and nothing is under way; held records go on by themselves', async () => {
  const { state, running } = lab(5);
  await until('all started', () => state.looked === 5);
  expect(state.finished).toBe(false);
  all(3).forEach((key) => state.ended.add(key));
  all(5).slice(3).forEach((key) => state.held.add(key));
  await running;
  expect(state.finished).toBe(true);
});

it('counts what a predecessor left under way', async () => {
  const left = Array.from({ length: 10 }, (_, n) => ({ ...unit(n), eventId: `left_${n}` }));
  const { state, stopped } = lab(5, {}, left);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(state.looked).toBe(0);
  left.forEach((one) => state.ended.add(unitKeyText(one)));
  await until('its own', () => state.looked === 5);
  await stopped();
});
