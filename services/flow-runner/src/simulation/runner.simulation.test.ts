import { simulate, type SimReport } from './simulate';
import { startVirtualTime } from './virtual-clock';

// SEED=n runs that seed alone; SEEDS=n runs so many from SEED_FROM (1) on.
const first = wholeNumber('SEED', wholeNumber('SEED_FROM', 1));
const last = process.env['SEED'] ? first : first + wholeNumber('SEEDS', 150) - 1;
/** So many broken seeds are told; more of them would say the same. */
const mostTold = 10;

/** Garbage would run no seed at all, and pass. */
function wholeNumber(name: string, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1 on, not ${process.env[name]}`);
  return value;
}

async function run(seed: number): Promise<SimReport> {
  const clock = startVirtualTime();
  try {
    return await simulate(seed, clock);
  } finally {
    await clock.end();
  }
}

test(`runners keep order, lose nothing, make no twins and never commit too far (seeds ${first} to ${last})`, async () => {
  const sum = { events: 0, writes: 0, failures: 0, kills: 0, cuts: 0, stops: 0, freezes: 0, pauses: 0, versions: 0, replays: 0, asides: 0 };
  const statuses: Record<string, number> = {};
  const broken: unknown[] = [];
  for (let seed = first; seed <= last && broken.length < mostTold; seed += 1) {
    try {
      const report = await run(seed);
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += report[key];
      for (const [status, count] of Object.entries(report.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    } catch (error) {
      broken.push(new Error(`SEED=${seed}: ${(error as Error).message}\n  again: SEED=${seed} npx jest --selectProjects unit --testPathPatterns runner.simulation`, { cause: error }));
    }
  }
  if (process.env['SIM_REPORT']) process.stdout.write(`${JSON.stringify({ ...sum, statuses })}\n`);
  if (broken.length > 0) throw broken.length === 1 ? broken[0] : new AggregateError(broken, broken.map((error) => (error as Error).message).join('\n'));
  // Runs without trouble prove nothing; a few may well have little of it.
  if (last - first >= 20) {
    const { events: _events, writes: _writes, failures: _failures, ...troubles } = sum;
    expect(Math.min(...Object.values(troubles))).toBeGreaterThan((last - first) / 2);
    expect(Object.keys(statuses).sort()).toEqual(expect.arrayContaining(['completed', 'failed', 'parked']));
  }
}, Math.max(600_000, (last - first + 1) * 2_000));

test('the same seed is the same run', async () => {
  expect(await run(7)).toEqual(await run(7));
});
