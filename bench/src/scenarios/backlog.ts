import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { LiveProbe, type ProbeDelays } from '../probe/live-probe';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { type Connector, createConnectors, untilKnown } from '../stack/tenant';
import { startLab } from './bench-lab';
import { untilWritten } from './run-to-crm';
import { atLeast, atMost, type Scenario } from './scenario';

/** Events that wait in a full run, ten in a request, each of a record of its own. */
const fullRun = 200_000;
const perRequest = 10;
/**
 * Requests a second of the slow connector: 5,000 events. A runner moves about 9,000 events a second of a full partition to the
 * held store; what arrives faster than that is read later, and so is what lies behind it in the log.
 */
const requestsPerSecond = 500;
/** Answers of the slow CRM; it is fast again once everything is measured. */
const slowMs = 5_000;
/** Connectors among which one shares its partition with the slow one, and how often a slow one is made until it does. */
const [others, tries] = [12, 40];
/** How long is measured before the backlog and beside it. */
const [aloneMs, besideMs] = [30_000, 60_000];
/** The promise: what events of others may take longer. */
const laterMs = 1_000;

const partitionSql = `
  SELECT position_partition AS partition FROM identity_mappings WHERE connector_id = $1 AND position_partition IS NOT NULL LIMIT 1`;

async function partitionOf(client: Client, connector: Connector): Promise<number | null> {
  for (let look = 0; look < 40; look += 1) {
    const { rows: [row] } = await client.query<{ partition: number }>(partitionSql, [connector.id]);
    if (row) return row.partition;
    await sleep(250);
  }
  return null;
}

interface Pair {
  portal: Portal;
  slow: Connector;
  /** Shares its partition with the slow one, and so its place in the log. */
  beside: Connector;
  /** Has another partition. */
  apart: Connector;
}

/** Makes a connector on a portal of its own until it shares its partition with one of the others. */
async function pairUp(stack: Stack, client: Client, ingestUrl: string, connectors: readonly Connector[]): Promise<Pair> {
  const partitions = new Map<Connector, number | null>();
  for (const connector of connectors) partitions.set(connector, await partitionOf(client, connector));
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const portal = await stack.crm.addPortal(0);
    const [slow] = await createConnectors(stack.configApi, stack.operatorToken, portal, 1);
    await untilKnown(ingestUrl, [slow!]);
    const partition = await partitionOf(client, slow!);
    const beside = connectors.find((one) => partitions.get(one) === partition);
    const apart = connectors.find((one) => partitions.get(one) !== partition);
    if (partition !== null && beside && apart) return { portal, slow: slow!, beside, apart };
  }
  throw new Error(`none of ${tries} connectors shares its partition with another`);
}

const row = (connector: string, phase: string, { sent, p50, p95, max, missing, refused }: ProbeDelays) =>
  ({ connector, phase, events: sent, 'p50 ms': p50, 'p95 ms': p95, 'max ms': max, missing, refused });

/** What other connectors notice of events that wait for the slow CRM of one. */
export const backlog: Scenario = {
  name: 'backlog',
  words: 'single events of other connectors while many events of one connector wait for its slow CRM',
  run: async ({ stack, scale, records }) => {
    const count = Math.round((records ?? fullRun * scale) / perRequest) * perRequest;
    const lab = await startLab(stack, { connectors: others, runners: 1, warmUp: 2_000 });
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      const { portal, slow, beside, apart } = await pairUp(stack, client, lab.ingest.url, lab.connectors);
      const probe = new LiveProbe(lab.ingest.url, [beside, apart]);
      await probe.beside('alone', sleep(aloneMs));
      await portal.setLatency(slowMs);
      const before = (await portal.stats()).records_written['contacts'] ?? 0;
      const plan = lab.plan({ prefix: 'backlog', requests: count / perRequest, keys: [slow.apiKey], rate: requestsPerSecond });
      const load = await probe.beside('it arrives', stack.load(plan));
      await probe.beside('it waits', sleep(besideMs));
      const accepted = load.accepted * perRequest;
      const waiting = accepted - (((await portal.stats()).records_written['contacts'] ?? 0) - before);
      await portal.setLatency(0);
      const { stats, quiet } = await probe.beside('it drains', untilWritten(portal, before + accepted));
      const lost = quiet ? accepted - ((stats.records_written['contacts'] ?? 0) - before) : 0;
      const table = await delaysOf(probe, lab.portal, { 'same partition': beside, 'another partition': apart });
      return {
        title: `backlog: ${count} events of one connector wait for a CRM that takes ${slowMs / 1000} s to answer (${waiting} still wait after ${besideMs / 1000} s)`,
        rows: table.map(({ connector, phase, delays }) => row(connector, phase, delays)),
        holds: [...holdsOf(table), atLeast('events that wait at the end of the measurement', waiting, count * 0.5),
          atMost('accepted events that are not written', lost, 0)],
      };
    } finally {
      await client.end();
      await lab.stop();
    }
  },
};

interface Measured {
  connector: string;
  phase: string;
  delays: ProbeDelays;
}

const phases = ['alone', 'it arrives', 'it waits', 'it drains'];

async function delaysOf(probe: LiveProbe, portal: Portal, connectors: Record<string, Connector>): Promise<Measured[]> {
  const table: Measured[] = [];
  for (const [connector, one] of Object.entries(connectors)) {
    for (const phase of phases) table.push({ connector, phase, delays: await probe.delays(portal, phase, one) });
  }
  return table;
}

/** Against the same connector without a backlog: while it waits, p95 and the slowest. */
function holdsOf(table: readonly Measured[]): ReturnType<typeof atMost>[] {
  const of = (connector: string, phase: string): ProbeDelays =>
    table.find((one) => one.connector === connector && one.phase === phase)!.delays;
  const missing = table.reduce((sum, { delays }) => sum + delays.missing + delays.refused, 0);
  return [
    ...['same partition', 'another partition'].flatMap((connector) => {
      const [alone, waits] = [of(connector, 'alone'), of(connector, 'it waits')];
      return [
        atMost(`ms later at p95, ${connector}`, waits.p95 - alone.p95, laterMs),
        atMost(`ms later at most, ${connector}`, waits.max - alone.max, laterMs),
      ];
    }),
    atMost('events of others that are missing or were refused', missing, 0),
  ];
}
