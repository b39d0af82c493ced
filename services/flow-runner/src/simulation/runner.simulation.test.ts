import { simulate, type SimReport } from './simulate';
import { startVirtualTime } from './virtual-clock';

// SEED=n runs that seed alone; SEEDS=n runs so many from 1 on.
const first = Number(process.env['SEED'] ?? 1);
const last = process.env['SEED'] ? first : Number(process.env['SEEDS'] ?? 200);

async function run(seed: number): Promise<SimReport> {
  const clock = startVirtualTime();
  try {
    return await simulate(seed, clock);
  } catch (error) {
    throw new Error(`SEED=${seed}: ${(error as Error).message} (run this seed alone: SEED=${seed} npx jest --selectProjects unit --testPathPatterns runner.simulation)`, { cause: error });
  } finally {
    await clock.end();
  }
}

test(`runners keep order, lose nothing, make no twins and never commit too far (seeds ${first} to ${last})`, async () => {
  const sum = { events: 0, writes: 0, failures: 0, kills: 0, cuts: 0, stops: 0, pauses: 0, asides: 0 };
  const statuses: Record<string, number> = {};
  for (let seed = first; seed <= last; seed += 1) {
    const report = await run(seed);
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += report[key];
    for (const [status, count] of Object.entries(report.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  }
  if (process.env['SIM_REPORT']) process.stdout.write(`${JSON.stringify({ ...sum, statuses })}\n`);
  // A run without trouble proves nothing.
  if (first !== last) {
    expect(Math.min(sum.kills, sum.cuts, sum.stops, sum.pauses, sum.asides)).toBeGreaterThan((last - first) / 2);
    expect(Object.keys(statuses).sort()).toEqual(expect.arrayContaining(['completed', 'failed', 'parked']));
  }
}, 600_000);

test('the same seed is the same run', async () => {
  expect(await run(7)).toEqual(await run(7));
});
