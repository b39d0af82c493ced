import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpawnedService } from '@sluice/testkit';
import { growth, type HeapPoint } from '../soak/flatness';
import { readHeap } from '../soak/heap-reading';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { organizationCaller } from '../stack/tenant';
import { crmLatencyMs } from './bench-lab';
import { atMost, type Scenario } from './scenario';

/** Rows of a full run; one of each thousand has cells too few. */
const [fullRun, badEvery] = [50_000, 1_000];
/** CRM calls for each row, at most. */
const callsPerRow = 0.02;
const flatBelow = 1.1;
/** How long a run may take. */
const withinMs = 900_000;

const map = (field: string, target: string): object => ({ source: `$.payload.${field}`, target });

const config = {
  version: '3.1',
  entities: [{ name: 'customer', schemas: { crm: {
    object_type: 'contacts', identity: { property: 'email' },
    field_mappings: [map('email', 'email'), map('first_name', 'firstname'), map('city', 'city')],
  } } }],
  flows: [{ name: 'rows', source: 'list', event_type: 'list.row',
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }] }],
  sources: [{ name: 'list', type: 'file', config: { format: 'csv', external_id_path: '$.email' } }],
  settings: {},
};

/** Rows that are discarded: `line` is physical, the heading is line 1. */
const isShort = (row: number): boolean => row % badEvery === badEvery - 1;

function csvOf(rows: number): string {
  const lines = ['email,first_name,city'];
  for (let row = 0; row < rows; row += 1) lines.push(isShort(row) ? `short-${row}@files.example`
    : `row-${row}@files.example,Name ${row},Bonn`);
  return `${lines.join('\n')}\n`;
}

interface FileView {
  status: string;
  rows_total: number;
  rows_queued: number;
  rows_discarded: number;
  discarded: { line: number; reason: string }[];
}

/** What the file became, and what is in the CRM. */
interface Arrived {
  file: FileView;
  seconds: number;
  /** Heap of each service by rows in the CRM. */
  points: Record<string, HeapPoint[]>;
}

async function untilArrived(
  read: () => Promise<FileView>, portal: Portal, wanted: number, services: Record<string, SpawnedService>, folder: string,
): Promise<Arrived> {
  const began = performance.now();
  const points: Record<string, HeapPoint[]> = Object.fromEntries(Object.keys(services).map((name) => [name, []]));
  for (;;) {
    const [records, file] = [await portal.count(), await read()];
    const isDone = records >= wanted && (file.status === 'completed' || file.status === 'failed');
    if (isDone || performance.now() - began > withinMs) return { file, seconds: (performance.now() - began) / 1_000, points };
    for (const [name, { pid }] of Object.entries(services)) {
      const { external, heapUsed } = await readHeap(folder, pid);
      points[name]!.push({ records, bytes: heapUsed + external });
    }
    await sleep(100);
  }
}

async function uploadAndWait(stack: Stack, folder: string, rows: number) {
  const portal = await stack.crm.addPortal(crmLatencyMs);
  const dataDir = { SLUICE_DATA_DIR: join(folder, 'data') };
  const probe = { SLUICE_BENCH_HEAP_FOLDER: folder, NODE_OPTIONS: `--require ${join(__dirname, '../soak/heap-probe.js')}` };
  const services: Record<string, SpawnedService> = {};
  // Of the stack: they share a folder of files here.
  const api = await stack.spawn('config-api', dataDir);
  try {
    for (const name of ['journal-poller', 'flow-runner'] as const) services[name] = await stack.spawn(name,
      { ...dataDir, ...probe });
    const { call, token } = await organizationCaller(api.url, stack.operatorToken, portal);
    const { id } = await call<{ id: string }>('POST', '/api/connectors', { name: 'Files' });
    await call('PUT', `/api/connectors/${id}/draft`, config);
    await call('POST', `/api/connectors/${id}/publish`, {});
    const before = (await portal.stats()).calls;
    const form = new FormData();
    form.set('file', new Blob([csvOf(rows)], { type: 'text/csv' }), 'customers.csv');
    const path = `/api/connectors/${id}/sources/list/files`;
    const headers = { authorization: `Bearer ${await token()}` };
    const answer = await fetch(api.url + path, { method: 'POST', headers, body: form });
    if (answer.status !== 202) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
    const { file_id: fileId } = (await answer.json()) as { file_id: string };
    const read = () => call<FileView>('GET', `${path}/${fileId}`);
    const bad = Array.from({ length: rows }, (_, row) => row).filter(isShort);
    const arrived = await untilArrived(read, portal, rows - bad.length, services, folder);
    const calls = (await portal.stats()).calls - before;
    return { ...arrived, bad, calls, addresses: (await portal.contacts()).map(({ properties }) => properties['email']) };
  } finally {
    await Promise.all([api, ...Object.values(services)].map((service) => service.stop()));
  }
}

/** A CSV file through the public upload into the CRM. */
export const files: Scenario = {
  name: 'files',
  words: `a CSV file of ${fullRun} rows through the upload into the CRM: what is lost, what it costs, what it holds in memory`,
  run: async ({ stack, scale }) => {
    const [folder, rows] = [mkdtempSync(join(tmpdir(), 'sluice-files-')), Math.round(fullRun * scale)];
    try {
      const { addresses, bad, calls, file, points, seconds } = await uploadAndWait(stack, folder, rows);
      const there = new Set(addresses);
      const lost = Array.from({ length: rows }, (_, row) => row).filter((row) => !isShort(row)
        && !there.has(`row-${row}@files.example`));
      const told = new Set(file.discarded.map(({ line }) => line));
      const growths = Object.values(points).map((heap) => (heap.length < 4 ? 1 : growth(heap, rows - bad.length)));
      return {
        title: `files: ${rows} rows, one journal-poller and one flow-runner`,
        rows: [{
          rows, seconds: Math.round(seconds), 'rows/s': Math.round(rows / seconds), status: file.status, queued: file.rows_queued,
          discarded: file.rows_discarded, lost: lost.length, 'second records': addresses.length - there.size, 'CRM calls': calls,
          'calls per row': calls / rows,
        }],
        holds: [
          atMost('rows that the CRM lacks', lost.length, 0),
          atMost('second records', addresses.length - there.size, 0),
          atMost('bad rows that are not listed with their line', bad.filter((row) => !told.has(row + 2)).length, 0),
          atMost('CRM calls for each row', calls / rows, callsPerRow),
          atMost('heap of the second half over that of the first', Math.max(...growths), flatBelow),
        ],
        details: { heap: points },
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
