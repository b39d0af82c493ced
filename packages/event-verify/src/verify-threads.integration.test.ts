import { join } from 'node:path';
import type { ConfigDocument } from '@sluice/contracts';
import { type CrmRecords, silentLogger } from '@sluice/ports';
import { createMetrics, createMonotonicClock } from '@sluice/service-kit';
import { sourceWorker } from '@sluice/testkit';
import type { RanOn } from './verify-event-job';
import { createVerifyThreads, type VerifyThreads } from './verify-threads';

const connector_id = '00000000-0000-4000-8000-000000000001';
/** @param sorted how many mappings sort a list of the payload */
const config = (sorted: number): ConfigDocument => ({
  version: '3.0', sources: [], flows: [{
    name: 'contacts', source: 'event_api', event_type: 'contact_synced',
    steps: [{ id: 'a', action: 'upsert', target: 'crm', entity: 'contact' }],
  }],
  entities: [{ name: 'contact', schemas: { crm: {
    object_type: 'contacts', identity: { property: 'email' },
    field_mappings: [
      { source: '$.payload.email', target: 'email' },
      { source: '$.payload.other', target: 'other' },
      ...Array.from({ length: sorted }, (_, at) =>
        ({ source: '$.payload.list', target: `list${at}`, transform: ['sort', 'json_stringify'] })),
    ],
  } } }],
});
const event = {
  event_type: 'contact_synced', external_id: null, timestamp: '', store_id: null, connector_id, source_type: 'event_api',
} as const;

let threads: VerifyThreads;
beforeEach(() => {
  const options = { threads: 1, timeLimitMs: 1_000, budgetMsPerMinute: null, monotonicNow: createMonotonicClock() };
  const worker = sourceWorker(join(__dirname, 'verify-jobs.worker.ts'));
  threads = createVerifyThreads({ ...options, logger: silentLogger, metrics: createMetrics({ service: 'test' }), worker });
});
afterEach(() => threads.stop());

/** What was verified of an event whose records have these payloads. */
async function verify(payloads: object[], sorted: number, asked: string[] = []) {
  const units = payloads.map((_, at) => ({ id: String(at), externalId: null, entityName: 'contact', skipped: {} }));
  const ended: unknown[][] = [];
  const find = async () => ({ ok: true, value: { record: { crm_id: '7', properties: {} }, count: 1 } });
  const answers = {
    config: async () => {
      asked.push('config');
      return JSON.stringify(config(sorted));
    },
    unit: async (id: string): Promise<RanOn> =>
      ({ sourceName: 'event_api', event, payload: JSON.stringify(payloads[Number(id)]), traces: [] }),
    verified: async (at: number, records: unknown[]) => void (ended[at] = records),
    find: find as unknown as CrmRecords['find'],
    readById: async () => ({ ok: true, value: { crm_id: '7', properties: { email: 'ada@example.com', other: 'x' } } }),
    definition: async () => ({ ok: true, value: null }),
  };
  await threads.run('o', 'verify_event', { version: `v${sorted}`, units }, { answers });
  return ended;
}

test('the records of an event are verified in a thread, which asks for the version once', async () => {
  const asked: string[] = [];
  const payloads = ['x', 'y'].map((other) => ({ email: 'ada@example.com', other }));
  const statuses = [[expect.objectContaining({ status: 'match' })], [expect.objectContaining({ status: 'mismatch' })]];
  expect(await verify(payloads, 0, asked)).toEqual(statuses);
  expect(await verify(payloads, 0, asked)).toEqual(statuses);
  expect(asked).toEqual(['config']);
});

test('flows that compute for too long are given up', async () => {
  const list = Array.from({ length: 9_000 }, (_, at) => (at * 7_919) % 9_000);
  const payloads = Array.from({ length: 200 }, () => ({ email: 'ada@example.com', list }));
  await expect(verify(payloads, 20)).rejects.toMatchObject({ detail: { error: 'config_too_complex' } });
});
