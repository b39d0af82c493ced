import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../child';
import { median } from '../report/percentile';
import type { DestinationCalls } from '../stack/destination-process';
import type { Stack } from '../stack/stack';
import { type Connector, createConnectors, organizationCaller, untilKnown } from '../stack/tenant';
import { atLeast, atMost, type Scenario, type ScenarioContext } from './scenario';

/** Connectors, one of them with a dead destination and one with a slow one, each with as many events as any other. */
const connectors = 100;
/** Events of each connector in a round of a full run. */
const eventsEach = 100;
const rounds = 3;
/** The promise: how much of their rate the others keep. */
const kept = 0.95;
/** Nothing has come for so long: the rest does not come. */
const quietMs = 15_000;
/** What has not come within this time after the last one is not of this round. */
const settledMs = 2_000;

/** Events are sent to a REST destination, nothing is written to the CRM. */
const configFor = (baseUrl: string) => ({
  version: '3.0',
  entities: [],
  flows: [{
    name: 'customer.saved', source: 'event_api', event_type: 'customer.saved', freshness_check: false,
    steps: [{ id: 'send', action: 'post', target: 'shop', url: '/customers', method: 'POST',
      body: { email: '$.payload.email' } }],
  }],
  sources: [{ name: 'shop', type: 'rest', config: { base_url: baseUrl } }],
  settings: {},
});

/** An address at which nobody listens. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

interface Lab {
  destination: Child<DestinationCalls>;
  ingestUrl: string;
  healthy: Connector[];
  /** The dead and the slow one. */
  sick: Connector[];
  stop(): Promise<void>;
}

async function startTargetLab(stack: Stack): Promise<Lab> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.reverse().splice(0)) await one();
  };
  try {
    const destination = startChild<DestinationCalls>('stack/destination-process');
    stops.push(() => destination.stop());
    const { url } = await destination.call('start', null);
    const dead = await deadUrl();
    const portal = await stack.crm.addPortal(0);
    const { call } = await organizationCaller(stack.configApi, stack.operatorToken, portal);
    const urls = [dead, `${url}/slow`];
    const made = await createConnectors(stack.configApi, stack.operatorToken, portal, connectors, call,
      (index) => configFor(urls[index] ?? `${url}/healthy`));
    const ingest = await stack.spawn('ingest-api');
    stops.push(() => ingest.stop());
    const runner = await stack.spawn('flow-runner');
    stops.push(() => runner.stop());
    await untilKnown(ingest.url, made);
    // What waits for the sick destinations ends with their connectors, so that later scenarios find an empty log.
    stops.push(() => Promise.all(made.slice(0, urls.length).map(({ id }) => call('DELETE', `/api/connectors/${id}`))));
    return { destination, ingestUrl: ingest.url, healthy: made.slice(urls.length), sick: made.slice(0, urls.length), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Nothing of an earlier round comes any more. */
async function untilQuiet(destination: Child<DestinationCalls>): Promise<void> {
  for (let before = -1; ;) {
    const { requests } = await destination.call('received', 'healthy');
    if (requests === before) return;
    before = requests;
    await sleep(settledMs);
  }
}

interface Round {
  /** Requests that the healthy destinations got a second, from the first accepted one to the last that came. */
  rate: number;
  came: number;
  expected: number;
  refused: number;
}

async function round({ stack, scale }: ScenarioContext, lab: Lab, prefix: string, withSick: boolean): Promise<Round> {
  const { destination, healthy, sick, ingestUrl } = lab;
  await untilQuiet(destination);
  await destination.call('forget', null);
  const chosen = withSick ? [...healthy, ...sick] : healthy;
  const each = Math.max(5, Math.round(eventsEach * scale));
  const load = await stack.load({
    url: ingestUrl, path: '/api/v1/events', keys: chosen.map(({ apiKey }) => apiKey), senders: 50, shape: 'data', perRequest: 1,
    prefix, requests: each * chosen.length, updates: 1, durationMs: null, rate: null,
  });
  const expected = each * healthy.length;
  let seen = await destination.call('received', 'healthy');
  while (seen.requests < expected && Date.now() - Math.max(seen.lastAt, load.lastAcceptAt) < quietMs) {
    await sleep(50);
    seen = await destination.call('received', 'healthy');
  }
  const refused = Object.values(load.refused).reduce((sum, n) => sum + n, 0);
  return { rate: seen.requests / ((seen.lastAt - load.firstAcceptAt) / 1000), came: seen.requests, expected, refused };
}

/** What a dead and a slow destination cost the connectors that have others. */
export const targets: Scenario = {
  name: 'targets',
  words: 'one dead and one slow REST destination among a hundred connectors',
  run: async (context) => {
    const lab = await startTargetLab(context.stack);
    try {
      await round(context, lab, 'targets-warm', false);
      const rates = { without: [] as number[], with: [] as number[] };
      const rows: Record<string, unknown>[] = [];
      let missing = 0;
      for (let n = 0; n < rounds; n += 1) {
        // The order changes, so that neither side always has the warmer round.
        for (const side of n % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
          const measured = await round(context, lab, `targets-${n}-${side}`, side === 'with');
          rates[side].push(measured.rate);
          missing += measured.expected - measured.came;
          rows.push({ round: n + 1, 'dead and slow one': side, 'events/s of the others': Math.round(measured.rate),
            events: measured.came, refused: measured.refused });
        }
      }
      const ratio = median(rates.with) / median(rates.without);
      return {
        title: `targets: ${targets.words}; medians of ${rounds} alternating rounds: ${Math.round(median(rates.with))}/s with, ${Math.round(median(rates.without))}/s without`,
        rows,
        holds: [atLeast('rate of the others with them, over without', ratio, kept),
          atMost('events of the others that did not come', missing, 0)],
      };
    } finally {
      await lab.stop();
    }
  },
};
