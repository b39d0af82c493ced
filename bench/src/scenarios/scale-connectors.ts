import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpawnedService } from '@sluice/testkit';
import { growthSizes } from '../scale/growth';
import { keyOfCopy, ManyConnectors } from '../scale/many-connectors';
import { heapProbeEnv } from '../soak/heap-probe-env';
import { readHeap } from '../soak/heap-reading';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { createConnectors, untilKnown } from '../stack/tenant';
import { crmLatencyMs } from './bench-lab';
import { runToCrm } from './run-to-crm';
import { atMost, type Scenario } from './scenario';

/** Connectors in the directory of a full run, and how many of them send. */
const [fullRun, sendingAtMost] = [100_000, 10_000];
/** Records of each load. */
const records = 10_000;

const mb = (bytes: number): number => Math.round(bytes / 1e5) / 10;

interface Started {
  service: SpawnedService;
  seconds: number;
}

/** The services at one number of connectors: how long they take to be ready, what they hold, what records cost. */
async function measure(stack: Stack, portal: Portal, count: number, folder: string): Promise<Record<string, number>> {
  const probe = heapProbeEnv(folder);
  const start = async (name: 'ingest-api' | 'flow-runner'): Promise<Started> => {
    const began = performance.now();
    const service = await stack.spawn(name, probe);
    return { service, seconds: (performance.now() - began) / 1_000 };
  };
  const ingest = await start('ingest-api');
  const runner = await start('flow-runner');
  try {
    const sending = Math.min(count, sendingAtMost);
    await untilKnown(ingest.service.url, [{ id: 'of the last copy', apiKey: keyOfCopy(count) }]);
    const held = await readHeap(folder, ingest.service.pid);
    const load = (prefix: string) => runToCrm(stack, portal, ingest.service.url, {
      url: ingest.service.url, path: '/api/v1/events', senders: 50, shape: 'data', perRequest: 1, updates: 1, durationMs: null,
      rate: null,
      keys: Array.from({ length: sending }, (_, n) => keyOfCopy(n + 1)), prefix: `${prefix}-${count}`, requests: records,
    });
    const [first, second] = [await load('first'), await load('second')];
    const { heapUsed } = await readHeap(folder, runner.service.pid);
    const us = (run: typeof first): number => (run.cpu.seconds / run.verification.expected) * 1e6;
    return {
      connectors: count, sending, 'ingest-api ready, s': ingest.seconds, 'flow-runner ready, s': runner.seconds,
      'ingest-api heap MB': mb(held.heapUsed), 'flow-runner heap MB': mb(heapUsed),
      'first load records/s': first.recordsPerSecond, 'first load CPU µs/record': us(first),
      'second load records/s': second.recordsPerSecond, 'second load CPU µs/record': us(second),
      lost: first.verification.lost + second.verification.lost,
    };
  } finally {
    await Promise.all([ingest.service.stop(), runner.service.stop()]);
  }
}

/** One ingest-api and one flow-runner with up to 100,000 connectors. */
export const scaleConnectors: Scenario = {
  name: 'scale-connectors',
  words: 'one ingest-api and one flow-runner with many connectors, each with a config of its own',
  usesBroker: true,
  run: async ({ stack, scale }) => {
    const portal = await stack.crm.addPortal(crmLatencyMs);
    const [pattern] = await createConnectors(stack.configApi, stack.operatorToken, portal, 1);
    const copies = await ManyConnectors.open(stack.databaseUrl, stack.brokers, pattern!.id);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-connectors-'));
    try {
      const rows: Record<string, number>[] = [];
      for (const count of growthSizes(Math.round(fullRun * scale))) {
        await copies.fillTo(count);
        rows.push(await measure(stack, portal, count, folder));
        console.log(`  ${count} connectors measured`);
      }
      const perConnector = (column: string): number =>
        ((rows.at(-1)![column]! - rows[0]![column]!) * 1e6) / (rows.at(-1)!['connectors']! - rows[0]!['connectors']!);
      return {
        title: `scale-connectors: ${scaleConnectors.words}; loads of ${records} records`,
        rows,
        holds: [
          atMost('bytes of heap a connector in ingest-api', perConnector('ingest-api heap MB'), 3_000),
          atMost('lost', rows.reduce((sum, row) => sum + row['lost']!, 0), 0),
        ],
      };
    } finally {
      await copies.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
