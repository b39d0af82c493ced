import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKeyringSetting } from '@sluice/service-kit';
import { spawnService, type SpawnedService } from '@sluice/testkit';
import type { LoadPlan } from '../load/load-plan';
import { growth, type HeapPoint } from '../soak/flatness';
import { heapProbeEnv } from '../soak/heap-probe-env';
import { readHeap } from '../soak/heap-reading';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { type Connector, createConnectors, untilKnown } from '../stack/tenant';
import { crmLatencyMs } from './bench-lab';
import { untilWritten } from './run-to-crm';
import { atMost, type Scenario } from './scenario';

/** Heap of the product process, MB: a small container's. */
const heapMb = 256;
/** Readings taken: one before the first event and one after each of these parts. */
const parts = 20;
/** Records of a full run, all distinct. Each is ordered, run and settled by itself; so many come in one request. */
const [fullRun, perRequest] = [1_000_000, 10];
/** A collected heap is called flat when its second half is at most so many times its first. */
const flatBelow = 1.1;

/** The waits of retries are minutes when calls fail (SLUICE_RETRY_WAITS). */
const retriedWithinMs = 900_000;

const mb = (bytes: number): number => Math.round(bytes / 1e5) / 10;

interface Product {
  product: SpawnedService;
  connectors: Connector[];
  portal: Portal;
}

/** `npm start` with all services in one process of little heap, its Postgres and the CRM apart. */
async function startProduct({ crm, operatorToken }: Stack, folder: string): Promise<Product> {
  const portal = await crm.addPortal(crmLatencyMs);
  const product = await spawnService('standalone', {
    SLUICE_DATA_DIR: join(folder, 'data'), SLUICE_DEMO: 'off', SLUICE_LOG_LEVEL: 'warn', SLUICE_RATE_LIMIT_SCALE: '0',
    SLUICE_CRM_BASE_URL: crm.url, SLUICE_CRM_CLIENT_ID: 'bench', SLUICE_CRM_CLIENT_SECRET: 'bench',
    SLUICE_OPERATOR_TOKEN: operatorToken, SLUICE_ENCRYPTION_KEYS: generateKeyringSetting(),
    ...heapProbeEnv(folder, `--max-old-space-size=${heapMb}`),
  }, { built: true, readyTimeoutMs: 120_000 });
  const connectors = await createConnectors(product.url, operatorToken, portal, 4);
  await untilKnown(product.url, connectors);
  return { product, connectors, portal };
}

/** Memory over time: distinct records, and what the process holds after full collections in between. */
export const soak: Scenario = {
  name: 'soak',
  words: `distinct records through npm start with a heap of ${heapMb} MB: what it holds after full collections`,
  run: async ({ stack, scale, records = Math.round(fullRun * scale) }) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-'));
    let product: SpawnedService | undefined;
    try {
      const started = await startProduct(stack, folder);
      product = started.product;
      const points: HeapPoint[] = [];
      const rows: Record<string, unknown>[] = [];
      const began = performance.now();
      const read = async (done: number): Promise<void> => {
        const { heapUsed, external, rss } = await readHeap(folder, started.product.pid);
        points.push({ records: done, bytes: heapUsed + external });
        const seconds = Math.round((performance.now() - began) / 1000);
        rows.push({ records: done, 'heap MB': mb(heapUsed), 'external MB': mb(external), 'resident MB': mb(rss), seconds });
        console.log(`  ${done} records, ${mb(heapUsed)} MB, ${seconds} s`);
      };
      await read(0);
      // The first events of the connectors have made a record.
      let expected = await started.portal.count();
      for (let part = 1; part <= parts; part += 1) {
        expected += await sendPart(stack, started, `soak-${part}`, Math.round(records / parts / perRequest));
        await read(Math.round((records / parts) * part));
      }
      const missing = await missingOf(started.portal, expected);
      return {
        title: `soak: ${soak.words}`, rows,
        holds: [
          atMost('largest of the second half over largest of the first', growth(points, records), flatBelow),
          atMost('accepted records that the CRM lacks', missing, 0),
        ],
      };
    } finally {
      await product?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @returns how many records were accepted; those that wait for a retry may be written later */
async function sendPart(stack: Stack, to: Product, prefix: string, requests: number): Promise<number> {
  const { product, connectors, portal } = to;
  const plan: LoadPlan = {
    url: product.url, path: '/api/v1/events', keys: connectors.map(({ apiKey }) => apiKey), senders: 50,
    shape: 'entities', perRequest, prefix, requests, updates: 1, durationMs: null, rate: null,
  };
  const before = (await portal.stats()).records_written['contacts'] ?? 0;
  const load = await stack.load(plan);
  await untilWritten(portal, before + load.accepted * perRequest);
  if (Object.keys(load.refused).length > 0) console.log(`  ${prefix}: requests refused: ${JSON.stringify(load.refused)}`);
  return load.accepted * perRequest;
}

/**
 * Waits until the CRM has all records, or has got none for so long: longer than the longest wait of a retry. @returns how many it
 * lacks
 */
async function missingOf(portal: Portal, expected: number): Promise<number> {
  let [best, since] = [-1, performance.now()];
  for (;;) {
    const missing = expected - (await portal.count());
    if (missing <= 0) return 0;
    if (expected - missing > best) [best, since] = [expected - missing, performance.now()];
    if (performance.now() - since > retriedWithinMs) return missing;
    await sleep(1_000);
  }
}
