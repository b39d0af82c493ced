import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, type Child } from '../child';
import { copyPollers, forgetReadings } from '../polled/poller-connectors';
import type { SlowListsCalls } from '../polled/slow-lists';
import { percentile } from '../report/percentile';
import { readHeap } from '../soak/heap-reading';
import type { Stack } from '../stack/stack';
import { openOrganization } from '../stack/tenant';
import { atMost, type Scenario } from './scenario';

/** Connectors of the largest step, each with one poller; and between two polls of one of them, milliseconds. */
const [most, intervalMs] = [10_000, 60_000];
/** What a step does after every list was polled once: how long it is measured at least, milliseconds. */
const leastMs = 20_000;
/** Heap of the second half of a measurement over that of the first. */
const flatBelow = 1.1;

/** One number of connectors, polled as often a second as every other one. */
interface Step {
  connectors: number;
  intervalMs: number;
}

const config = (url: string): object => ({
  version: '3.1', entities: [], flows: [],
  sources: [{ name: 'erp', type: 'poller', config: { url: `${url}/list/0`, external_id_path: '$.id', emit: 'changed' } }],
  settings: {},
});

/** Publishes the connector that is copied; what it reads itself is list 0. */
async function publishPattern({ configApi, crm, operatorToken }: Stack, url: string): Promise<string> {
  const call = await openOrganization(configApi, operatorToken, await crm.addPortal(0));
  const { id } = await call<{ id: string }>('POST', '/api/connectors', { name: 'Poller' });
  await call('PUT', `/api/connectors/${id}/draft`, config(url));
  await call('POST', `/api/connectors/${id}/publish`, {});
  return id;
}

async function measureStep(stack: Stack, lists: Child<SlowListsCalls>, { connectors, intervalMs: everyMs }: Step,
  folder: string) {
  await forgetReadings(stack.databaseUrl);
  await lists.call('begin', everyMs);
  const service = await stack.spawn('journal-poller', {
    SLUICE_WORKER_TICK: String(everyMs / 1_000), SLUICE_BENCH_HEAP_FOLDER: folder,
    NODE_OPTIONS: `--require ${join(__dirname, '../soak/heap-probe.js')}`,
  });
  try {
    const deadline = performance.now() + 3 * everyMs + 60_000;
    for (let seen = 0; seen < connectors; seen = await lists.call('seen', null)) {
      if (performance.now() > deadline) throw new Error(`only ${seen} of ${connectors} lists are polled`);
      await sleep(200);
    }
    await sleep(Math.min(everyMs, 5_000));
    const heapBefore = await readHeap(folder, service.pid);
    await lists.call('take', null);
    const used = stack.measureCpu();
    await sleep(Math.max(leastMs, everyMs * 1.25));
    const { parts } = used();
    const { lateMs, polls } = await lists.call('take', null);
    const heapAfter = await readHeap(folder, service.pid);
    const cpuUs = (name: string): number => Math.round(((parts[name] ?? 0) * 1e6) / polls);
    return {
      connectors, 'poll every s': everyMs / 1_000, polls,
      'late p50 ms': Math.round(percentile(lateMs, 0.5)), 'late p95 ms': Math.round(percentile(lateMs, 0.95)),
      'late max ms': Math.round(lateMs.at(-1) ?? 0),
      'CPU µs/poll': cpuUs('journal-poller'), 'Postgres µs/poll': cpuUs('postgres'),
      'heap MB': Math.round(heapAfter.heapUsed / 1e5) / 10, 'heap growth': heapAfter.heapUsed / heapBefore.heapUsed,
    };
  } finally {
    await service.stop();
  }
}

/** Pollers of many connectors on one journal-poller: whether they are on time, and what a poll costs however many there are. */
export const pollers: Scenario = {
  name: 'pollers',
  words: `${most} connectors with a poller each on one journal-poller, lists that answer in 50 ms`,
  run: async ({ stack, scale }) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-pollers-'));
    const lists = startChild<SlowListsCalls>('polled/slow-lists');
    try {
      const pattern = await publishPattern(stack, await lists.call('start', null));
      const rows = [];
      let copied = 0;
      for (const part of [0.01, 0.1, 1]) {
        // The same number of polls a second in every step.
        const step = { connectors: Math.round(most * scale * part), intervalMs: Math.round(intervalMs * scale * part) };
        await copyPollers(stack.databaseUrl, pattern, copied + 1, step.connectors - 1);
        copied = step.connectors - 1;
        rows.push(await measureStep(stack, lists, step, folder));
        console.log(`  ${step.connectors} connectors, late p95 ${rows.at(-1)!['late p95 ms']} ms`);
      }
      const [first, last] = [rows[0]!, rows.at(-1)!];
      const costOf = (row: typeof first): number => row['CPU µs/poll'] + row['Postgres µs/poll'];
      return {
        title: `pollers: ${pollers.words}`, rows,
        holds: [
          atMost('milliseconds that a poll is late, p95', Math.max(...rows.map((row) => row['late p95 ms'])), 1_000),
          atMost(`CPU of a poll with ${last.connectors} connectors over that with ${first.connectors}`,
            costOf(last) / costOf(first), 1.5),
          atMost('heap after the measurement over the heap before it', Math.max(...rows.map((row) => row['heap growth'])),
            flatBelow),
        ],
      };
    } finally {
      await lists.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
