import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type SpawnedService } from '@sluice/testkit';
import { Client } from 'pg';
import { flatBelow, HeapCurve } from '../../soak/heap-curve';
import { heapProbeEnv } from '../../soak/heap-probe-env';
import { perRecord } from '../../stack/cpu-meter';
import type { Portal } from '../../stack/crm';
import type { Stack } from '../../stack/stack';
import { type Connector, createConnectors, untilKnown } from '../../stack/tenant';
import { crmLatencyMs } from '../bench-lab';
import { atMost, type Scenario } from '../scenario';

/** Records of a full run, and how many come in one request. */
const [fullRun, perRequest] = [1_000_000, 10];
/** Connectors of the portal that is away. */
const connectorCount = 4;
/** Readings of the heaps while events are held, and while they drain. */
const parts = 10;
/** A count that has not changed for so long does not change any more: longer than the longest wait of a retry. */
const stuckMs = 900_000;
/** A runner has some events in memory and tries one after the other: so many are held when all have been read. */
const nearlyAll = 0.99;

interface Lab {
  portal: Portal;
  connectors: Connector[];
  ingest: SpawnedService;
  runner: SpawnedService;
  client: Client;
}

async function startOutageLab(stack: Stack): Promise<Lab> {
  const portal = await stack.crm.addPortal(crmLatencyMs);
  const connectors = await createConnectors(stack.configApi, stack.operatorToken, portal, connectorCount);
  const heap = heapProbeEnv(stack.heapFolder);
  const [ingest, runner] = [await stack.spawn('ingest-api', heap), await stack.spawn('flow-runner', heap)];
  await untilKnown(ingest.url, connectors);
  const client = new Client({ connectionString: stack.databaseUrl });
  await client.connect();
  return { portal, connectors, ingest, runner, client };
}

async function heldCount({ client, connectors }: Lab): Promise<number> {
  const ids = connectors.map(({ id }) => id);
  const sql = 'SELECT count(*)::int AS held FROM held_events WHERE connector_id = ANY($1::uuid[])';
  return (await client.query<{ held: number }>(sql, [ids])).rows[0]!.held;
}

/**
 * Waits until a count reaches its goal, and reports each part of the way.
 * @throws Error when it stands still
 */
async function untilReached(
  count: () => Promise<number>, goal: number, report: (reached: number) => Promise<void>,
): Promise<void> {
  let [reached, movedAt, next] = [-1, performance.now(), 0];
  while (reached < goal) {
    const now = await count();
    if (now > reached) [reached, movedAt] = [now, performance.now()];
    if (performance.now() - movedAt > stuckMs) throw new Error(`the count stands still at ${now} of ${goal}`);
    if (reached >= next) {
      await report(reached);
      next = reached + goal / parts;
    }
    await sleep(1_000);
  }
}

/** Sends the records while the CRM is away. @returns how many were accepted, how many requests were not, and seconds */
async function accept(stack: Stack, { ingest, connectors }: Lab, requests: number) {
  const began = performance.now();
  const load = await stack.load({
    url: ingest.url, path: '/api/v1/events', keys: connectors.map(({ apiKey }) => apiKey), senders: 50, shape: 'entities',
    perRequest, prefix: 'outage', requests, updates: 1, durationMs: null, rate: null,
  });
  const refused = Object.values(load.refused).reduce((sum, count) => sum + count, 0);
  return { total: load.accepted * perRequest, refused, seconds: (performance.now() - began) / 1_000 };
}

/** A CRM is away for long and comes back: the memory of what is held, and what is lost. */
export const outage: Scenario = {
  name: 'outage',
  words: 'a million events that are held while their CRM is away, and drain when it is back',
  usesBroker: true,
  run: async ({ stack, scale, records }) => {
    const lab = await startOutageLab(stack);
    const { portal, ingest, runner } = lab;
    const pids = { 'flow-runner': runner.pid, 'ingest-api': ingest.pid };
    try {
      const before = await portal.count();
      await portal.refuse(503);
      const began = performance.now();
      const seconds = (): number => (performance.now() - began) / 1_000;
      const accepted = await accept(stack, lab, Math.round((records ?? fullRun * scale) / perRequest));
      const { total } = accepted;
      const [holding, draining] = [new HeapCurve(stack.heapFolder, pids), new HeapCurve(stack.heapFolder, pids)];
      await untilReached(() => heldCount(lab), total * nearlyAll, (held) => holding.read(held, seconds()));
      const held = seconds();
      const cpu = stack.measureCpu();
      await portal.answerAgain();
      const written = async (): Promise<number> => (await portal.count()) - before;
      await untilReached(written, total, (done) => draining.read(done, seconds()));
      const [drain, used] = [seconds() - held, perRecord(cpu(), total)];
      await eventually(async () => (await heldCount(lab)) === 0, { timeoutMs: stuckMs, everyMs: 1_000 });
      const row = (what: string, took: number) => ({ what, seconds: Math.round(took), 'records/s': Math.round(total / took) });
      return {
        title: `outage: ${total} records of ${connectorCount} connectors while the CRM answers 503, and after that; drained with `
          + `CPU µs/record: ${used}`,
        rows: [row('accepted', accepted.seconds), row('held, since the first request', held), row('drained', drain)],
        holds: [
          ...draining.growths(total).map(([name, grown]) => atMost(`heap of ${name}, second half over first`, grown, flatBelow)),
          atMost('requests refused', accepted.refused, 0),
          atMost('accepted records that the CRM lacks', total - (await written()), 0),
        ],
        details: { holding: holding.rows, draining: draining.rows },
      };
    } finally {
      await lab.client.end();
      await Promise.all([runner.stop(), ingest.stop()]);
    }
  },
};
