import { setTimeout as sleep } from 'node:timers/promises';
import type { SpawnedService } from '@sluice/testkit';
import { Client } from 'pg';
import { LiveProbe, type ProbeDelays } from '../probe/live-probe';
import { profiled } from '../profile/profile-service';
import { fillFailed } from '../replays/fill-failed';
import { flatBelow, HeapCurve } from '../soak/heap-curve';
import { heapProbeEnv } from '../soak/heap-probe-env';
import { type CpuUse, perRecord } from '../stack/cpu-meter';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { type Call, type Connector, createConnectors, organizationCaller, untilKnown } from '../stack/tenant';
import { crmLatencyMs } from './bench-lab';
import { atMost, type Scenario } from './scenario';

/** Records of a full run. */
const fullRun = 1_000_000;
/** Readings of the heaps while the job runs. */
const parts = 20;
const aloneMs = 30_000;
/** The promise: what live events of the same portal may take longer. */
const laterMs = 1_000;
/** A job that has not moved for so long does not move any more. */
const stuckMs = 300_000;

interface Lab {
  portal: Portal;
  call: Call;
  ingest: SpawnedService;
  runner: SpawnedService;
  /** The connector of the job. */
  own: Connector;
  /** Another one of its portal. */
  other: Connector;
}

async function startReplayLab(stack: Stack): Promise<Lab> {
  const portal = await stack.crm.addPortal(crmLatencyMs);
  const { call } = await organizationCaller(stack.configApi, stack.operatorToken, portal);
  const [own, other] = await createConnectors(stack.configApi, stack.operatorToken, portal, 2, call);
  const heap = heapProbeEnv(stack.heapFolder);
  const ingest = await stack.spawn('ingest-api', heap);
  const runner = await stack.spawn('flow-runner', heap);
  await untilKnown(ingest.url, [own!, other!]);
  return { portal, call, ingest, runner, own: own!, other: other! };
}

const token = 'replay-pattern@bench.example';

async function sendPattern({ ingest, own }: Lab): Promise<string> {
  const entity = { type: 'customer', externalObjectId: token, properties: { email: token, sequence: '0001' } };
  const response = await fetch(`${ingest.url}/api/v1/events`, {
    method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': own.apiKey },
    body: JSON.stringify({ event: 'sync', entities: [entity] }),
  });
  if (response.status !== 202) throw new Error(`the pattern was answered ${response.status}`);
  return ((await response.json()) as { event_id: string }).event_id;
}

interface Job {
  id: string;
  status: string;
  matched: number;
  replayed: number;
  skipped: number;
  failed: number;
  created_at: string;
  completed_at: string | null;
}

/** Follows a job to its end. */
async function untilEnded(call: Call, path: string, count: number, curve: HeapCurve): Promise<{ job: Job; seconds: number }> {
  const began = performance.now();
  let [reached, movedAt] = [0, began];
  for (let read = 0; ;) {
    const job = await call<Job>('GET', path);
    const now = performance.now();
    if (job.matched > reached) [reached, movedAt] = [job.matched, now];
    // A reading of the heaps takes some seconds: the job knows better when it ended.
    if (job.completed_at !== null) return { job, seconds: (Date.parse(job.completed_at) - Date.parse(job.created_at)) / 1_000 };
    if (now - movedAt > stuckMs) throw new Error(`the job stands still: ${JSON.stringify(job)}`);
    if (job.matched >= (read * count) / parts) {
      await curve.read(job.matched, (now - began) / 1_000);
      read = Math.floor((job.matched * parts) / count) + 1;
    }
    await sleep(500);
  }
}

const delayRow = (connector: string, phase: string, { sent, p50, p95, max, missing }: ProbeDelays) =>
  ({ connector, phase, events: sent, 'p50 ms': p50, 'p95 ms': p95, 'max ms': max, missing });

/** A replay job of very many records: its memory, and what live events of the same portal notice of it. */
export const replays: Scenario = {
  name: 'replays',
  words: 'a replay job of a million failed records, beside live events of the same portal',
  run: async ({ stack, scale, records, profiling }) => {
    const count = records ?? Math.round(fullRun * scale);
    const lab = await startReplayLab(stack);
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      await fillFailed(client, await sendPattern(lab), token, count);
      const probe = new LiveProbe(lab.ingest.url, [lab.own, lab.other]);
      await probe.beside('alone', sleep(aloneMs));
      const curve = new HeapCurve(stack.heapFolder, {
        'config-api': stack.configApiPid, 'flow-runner': lab.runner.pid, 'ingest-api': lab.ingest.pid,
      });
      const jobs = `/api/connectors/${lab.own.id}/replays`;
      const { id } = await lab.call<Job>('POST', jobs, { filter: { status: ['failed'] } });
      const [{ calls }, cpu] = [await lab.portal.stats(), stack.measureCpu({ 'config-api': stack.configApiPid })];
      const { job, seconds } = await probe.beside('beside the job', profiled(profiling, { 'flow-runner': lab.runner }, () =>
        untilEnded(lab.call, `${jobs}/${id}`, count, curve)));
      const cost = { cpu: cpu(), calls: (await lab.portal.stats()).calls - calls };
      return await resultOf(lab, probe, curve, { job, seconds, count, ...cost });
    } finally {
      await client.end();
      await Promise.all([lab.runner.stop(), lab.ingest.stop()]);
    }
  },
};

async function resultOf(
  { portal, own, other }: Lab, probe: LiveProbe, curve: HeapCurve,
  { job, seconds, count, cpu, calls }: { job: Job; seconds: number; count: number; cpu: CpuUse; calls: number },
) {
  const connectors = { 'of the job': own, 'another of the portal': other };
  const rows: Record<string, unknown>[] = [];
  const holds = curve.growths(count).map(([name, grown]) => atMost(`heap of ${name}, second half over first`, grown, flatBelow));
  for (const [name, connector] of Object.entries(connectors)) {
    const [alone, beside] = [await probe.delays(portal, 'alone', connector),
      await probe.delays(portal, 'beside the job', connector)];
    rows.push(delayRow(name, 'alone', alone), delayRow(name, 'beside the job', beside));
    holds.push(atMost(`ms later at p95, connector ${name}`, beside.p95 - alone.p95, laterMs),
      atMost(`ms later at most, connector ${name}`, beside.max - alone.max, laterMs),
      atMost(`live events missing or refused, connector ${name}`, beside.missing + beside.refused, 0));
  }
  const written = await portal.createdAt(['replayed-1@bench.example', `replayed-${count}@bench.example`]);
  holds.push(atMost('records that the job did not replay', count - job.replayed, 0),
    atMost('of its first and last record, not in the CRM', 2 - written.size, 0));
  return {
    title: `replays: a job of ${count} records, ${job.status} in ${Math.round(seconds)} s (${Math.round(count / seconds)}/s): ${job.replayed} replayed, `
      + `${job.skipped} skipped, ${job.failed} failed; ${(calls / count).toFixed(4)} CRM calls/record; `
      + `CPU µs/record: ${perRecord(cpu, count)}`,
    rows, holds, details: { heaps: curve.rows },
  };
}
