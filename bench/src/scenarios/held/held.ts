import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpawnedService } from '@sluice/testkit';
import { type HeldBacklog, openHeldBacklog } from '../../held/held-backlog';
import { growthSizes } from '../../scale/growth';
import { heapProbeEnv } from '../../soak/heap-probe-env';
import { readHeap } from '../../soak/heap-reading';
import type { Stack } from '../../stack/stack';
import { createConnectors, untilKnown } from '../../stack/tenant';
import { type BenchLab, startLab } from '../bench-lab';
import { type RunToCrm, runColumns, runToCrm } from '../run-to-crm';
import { atMost, type Scenario } from '../scenario';

/** Held scopes of a full run: as many records of a dead portal, each waiting for its own retry. */
const fullRun = 1_000_000;
/** The load beside them: requests per second of ten records, and for how long. */
const [rate, lengthS] = [30, 10];

/** What a runner that takes the partition over shows. */
interface TakeOver {
  /** From its start to the write of what waited for it. */
  seconds: number;
  run: RunToCrm;
  heapMb: number;
}

/**
 * A runner starts while an event waits for one; then it gets a load of the connector that shares its partition with the held
 * scopes.
 */
async function takeOver(stack: Stack, lab: BenchLab, prefix: string, folder: string): Promise<TakeOver> {
  await Promise.all(lab.runners.splice(0).map((runner) => runner.stop()));
  let began = 0;
  const during = async (): Promise<void> => {
    began = Date.now();
    lab.runners.push(await stack.spawn('flow-runner', heapProbeEnv(folder)));
  };
  const plan = lab.plan({ prefix: `${prefix}-first`, requests: 1 });
  const first = await runToCrm(stack, lab.portal, lab.ingest.url, plan, { during });
  const wroteAt = Math.min(...first.written.map(({ writtenAt }) => writtenAt));
  const run = await runToCrm(stack, lab.portal, lab.ingest.url, lab.plan({ prefix, requests: rate * lengthS, rate }));
  const { heapUsed, external } = await readHeap(folder, lab.runners[0]!.pid);
  return { seconds: (wroteAt - began) / 1000, run, heapMb: Math.round((heapUsed + external) / 1e5) / 10 };
}

const row = (held: number, { seconds, run, heapMb }: TakeOver) =>
  ({ 'held scopes': held, 'seconds from start to first write': seconds, 'heap MB': heapMb, ...runColumns(run) });

/** A connector whose portal refuses everything, and one event of it that is held. */
async function deadConnector(stack: Stack, ingest: SpawnedService): Promise<string> {
  const portal = await stack.crm.addPortal(0);
  const [dead] = await createConnectors(stack.configApi, stack.operatorToken, portal, 1);
  await portal.refuse(503);
  // The first event that matches a flow is held: it is the pattern of all others.
  await untilKnown(ingest.url, [dead!]);
  return dead!.id;
}

/** A partition with a million held scopes of a dead portal: what a new owner and the partition's other lanes notice of them. */
export const held: Scenario = {
  name: 'held',
  usesBroker: true,
  words: 'a million held scopes in the partition of a connector that goes on',
  run: async ({ stack, scale }) => {
    const count = Math.round(fullRun * scale);
    const lab = await startLab(stack, { connectors: 1, runners: 1, warmUp: 2_000 });
    const folder = mkdtempSync(join(tmpdir(), 'sluice-held-'));
    let backlog: HeldBacklog | undefined;
    try {
      backlog = await openHeldBacklog(stack.databaseUrl, await deadConnector(stack, lab.ingest));
      const before = await takeOver(stack, lab, 'before', folder);
      const beside: { size: number; found: TakeOver }[] = [];
      for (const size of growthSizes(count)) {
        await Promise.all(lab.runners.splice(0).map((runner) => runner.stop()));
        await backlog.fillTo(await backlog.partitionOf(lab.connectors[0]!.id), size);
        beside.push({ size, found: await takeOver(stack, lab, `beside-${size}`, folder) });
      }
      const after = beside.at(-1)!.found;
      const wrong = [before, ...beside.map(({ found }) => found)].reduce(
        (sum, { run: { verification: { lost, duplicates, outOfOrder } } }) => sum + lost + duplicates + outOfOrder, 0,
      );
      return {
        title: `held: ${held.words}; ${rate * 10} records/s`,
        rows: [row(0, before), ...beside.map(({ size, found }) => row(size, found))],
        holds: [
          atMost('seconds that a take-over takes longer', after.seconds - before.seconds, 5),
          atMost('heap, MB more', after.heapMb - before.heapMb, 32),
          atMost('lost + duplicates + out of order', wrong, 0),
        ],
      };
    } finally {
      await backlog?.clear();
      await lab.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
