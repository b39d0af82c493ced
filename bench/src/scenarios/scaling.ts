import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPlan, LoadResult } from '../load/load-plan';
import { verifyRecords } from '../verify/verify-records';
import { writesByConnector } from '../verify/writes-by-connector';
import type { Stack } from '../stack/stack';
import { type BenchLab, startLab } from './bench-lab';
import { runColumns, runToCrm } from './run-to-crm';
import { atMost, type Scenario } from './scenario';

const connectors = 12;
/** Requests a second through the ingest-api that stays, and through the one that comes and goes. */
const [rate, rateOfGuest] = [60, 20];
const lengthS = 40;
/** The lease of a partition: nothing may stand still for longer. */
const leaseS = 10;

/** A second ingest-api takes requests, and is stopped while they come. */
async function guestIngest(stack: Stack, lab: BenchLab): Promise<{ plan: LoadPlan; load: LoadResult }> {
  await sleep(3_000);
  const guest = await stack.spawn('ingest-api');
  const plan = lab.plan({ prefix: 'guest', url: guest.url, requests: rateOfGuest * 20, rate: rateOfGuest, senders: 10 });
  const sent = stack.load(plan);
  await sleep(10_000);
  await guest.stop();
  return { plan, load: await sent };
}

/** A runner comes, another one goes, one more comes: each takes partitions from the others. */
async function changeRunners(stack: Stack, lab: BenchLab): Promise<void> {
  await sleep(4_000);
  lab.runners.push(await stack.spawn('flow-runner'));
  await sleep(7_000);
  await lab.runners.shift()!.stop();
  await sleep(5_000);
  lab.runners.push(await stack.spawn('flow-runner'));
}

/** The longest time between two writes of a connector, seconds. The load sends to each several times a second. */
function longestGap(writes: ReadonlyMap<number, number[]>): number {
  const gaps = [...writes.values()].map((times) => {
    const sorted = [...times].sort((a, b) => a - b);
    return Math.max(0, ...sorted.slice(1).map((at, place) => at - sorted[place]!));
  });
  return Math.max(0, ...gaps) / 1_000;
}

/** Runners and an ingest-api come and go in the middle of load, as a scaler does it: in order, not by a kill. */
export const scaling: Scenario = {
  name: 'scaling',
  words: 'runners and an ingest-api added and removed in the middle of load',
  run: async ({ stack, scale }) => {
    const lab = await startLab(stack, { connectors, runners: 2, warmUp: 2_000 * scale });
    try {
      const plan = lab.plan({ prefix: 'scaling', requests: rate * lengthS, rate, senders: 48 });
      const guest = guestIngest(stack, lab);
      const run = await runToCrm(stack, lab.portal, lab.ingest.url, plan,
        { during: async () => void (await Promise.all([guest, changeRunners(stack, lab)])) });
      const { plan: guestPlan, load } = await guest;
      const { verification: ofGuest } = verifyRecords(guestPlan, load, run.contacts);
      const seconds = longestGap(writesByConnector(run.contacts, 'scaling', connectors));
      const { lost, duplicates, outOfOrder } = run.verification;
      const refused = Object.values(run.load.refused).reduce((sum, n) => sum + n, 0);
      return {
        title: `scaling: ${scaling.words}; ${connectors} connectors, ${rate * plan.perRequest} records/s`,
        rows: [{ 'longest gap of a connector, s': seconds, 'accepted by the guest': load.accepted, ...runColumns(run) }],
        holds: [
          atMost('seconds in which a connector stood still', seconds, leaseS),
          atMost('lost + duplicates + out of order', lost + duplicates + outOfOrder, 0),
          atMost('the same of what the removed ingest-api accepted', ofGuest.lost + ofGuest.duplicates + ofGuest.outOfOrder, 0),
          atMost('requests that the ingest-api that stayed refused', refused, 0),
        ],
      };
    } finally {
      await lab.stop();
    }
  },
};
