import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPlan } from '../load/load-plan';
import { profiled } from '../profile/profile-service';
import { median } from '../report/percentile';
import { perRecord } from '../stack/cpu-meter';
import type { Portal } from '../stack/crm';
import { createLivePlugin } from '../stack/live-plugin';
import type { Stack } from '../stack/stack';
import { type Connector, createConnectors, customerConfig, organizationCaller, untilKnown } from '../stack/tenant';
import { crmLatencyMs } from './bench-lab';
import { atMost, type Scenario } from './scenario';

const smallCode = `exports.handler = async ({ payload }) => ({ action: 'continue', label: 'city ' + payload.city });`;

/** What a function does that is flooded, until the time that its event names; then what waits behind it ends soon. */
const floods = {
  /** No flood: what an organization costs that sends as many events to a plugin that does nothing. */
  nothing: '',
  'endless loops': 'while (Date.now() < until);',
  memory: `while (Date.now() < until) {
    const kept = [];
    try { for (;;) kept.push(new Uint8Array(1 << 20).fill(1)); } catch {}
  }`,
  logs: `for (let line = 0; line < 200; line += 1) console.log('x'.repeat(2_000));`,
  answers: 'return { numbers: new Array(500_000).fill(1) };',
} as const;
type FloodKind = keyof typeof floods;
const floodCode = `const floods = { ${Object.entries(floods)
  .map(([kind, body]) => `${JSON.stringify(kind)}: (until) => { ${body} }`)
  .join(', ')} };
exports.handler = async ({ payload }) => { return floods[payload.kind](Number(payload.until)) ?? {}; };`;

const [floodEventsPerSecond, floodMs] = [20, 2_000];
/** So long before its rounds a flood begins, and events that cost nothing. */
const [leadMs, calmLeadMs] = [2_000, 500];
const perRequest = 10;
/** Turns of one flood, each between two measurements beside events that cost nothing, and rounds of one measurement. */
const [turns, roundsEach] = [3, 2];

/** The flow of the bench, with a plugin in front. */
const withPlugin = (logicalName: string) => ({
  ...customerConfig,
  flows: customerConfig.flows.map((flow) => ({
    ...flow, steps: [{ id: 'score', action: 'plugin', plugin: { logical_name: logicalName, config: {} } }, ...flow.steps],
  })),
});

/** The organization that floods its plugins. */
interface Loud {
  /** A connector whose flow has the flooding plugin. */
  connect(): Promise<Connector>;
  /** Deletes it: what is left of its flood ends with it. */
  end(connector: Connector): Promise<void>;
}

/** Sends events to a connector of the loud organization, until the work has ended. */
async function beside<T>(url: string, loud: Loud, kind: FloodKind, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const connector = await loud.connect();
  const { apiKey } = connector;
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const flood = (async () => {
    for (let event = 0; !isOver; event += 1) {
      const properties = { kind, until: Date.now() + floodMs, email: `flood-${event}@bench.example`, sequence: '0' };
      const entities = [{ type: 'customer', externalObjectId: `${kind}-${event}`, properties }];
      const body = JSON.stringify({ event: 'sync', entities });
      await fetch(`${url}/api/v1/events`, { method: 'POST', headers, body }).then((response) => response.arrayBuffer());
      await sleep(1_000 / floodEventsPerSecond);
    }
  })();
  // Told where it is awaited, also when the work fails first.
  flood.catch(() => undefined);
  try {
    await sleep(kind === 'nothing' ? calmLeadMs : leadMs);
    return await work();
  } finally {
    isOver = true;
    await flood;
    await loud.end(connector);
    await sleep(kind === 'nothing' ? 0 : floodMs + 500);
  }
}

/** Records of a load per second, from the first accept to the last write. */
async function rateOf(stack: Stack, portal: Portal, plan: LoadPlan): Promise<number> {
  const written = async (): Promise<number> => (await portal.stats()).records_written['contacts'] ?? 0;
  const records = recordsOf(plan);
  const wanted = (await written()) + records;
  const began = performance.now();
  const load = stack.load(plan);
  for (const late = began + 120_000; (await written()) < wanted; await sleep(20))
    if (performance.now() > late) throw new Error(`a round did not end: ${JSON.stringify((await load).refused)}`);
  const seconds = (performance.now() - began) / 1_000;
  await load;
  return records / seconds;
}

const recordsOf = ({ requests, perRequest }: LoadPlan): number => (requests ?? 0) * perRequest;

/** Rounds of the same load, one after another. */
interface Rounds {
  /** Records per second: the median. */
  rate: number;
  /** Microseconds of CPU per record, by part. Functions count with the service that runs them. */
  cpu: string;
}

/** What the load of one pair of organizations is measured with. */
interface Pair {
  url: string;
  loud: Loud;
  kinds: readonly FloodKind[];
  /** @param beside what the other organization does, for the names of profiles */
  rounds(beside: string): Promise<Rounds>;
}

/** Each flood between two measurements beside the same number of events to a plugin that does nothing. */
async function besideEach({ url, loud, kinds, rounds }: Pair): Promise<{ rows: Record<string, unknown>[]; worst: number }> {
  const costOf = (rate: number, before: number): string => ((1 - rate / before) * 100).toFixed(1);
  const first = await rounds('alone, first');
  const besideKind = (kind: FloodKind): Promise<Rounds> => beside(url, loud, kind, () => rounds(kind));
  let before = await besideKind('nothing');
  const calm = [before];
  const rows: Record<string, unknown>[] = [];
  for (const kind of kinds) {
    const found: { during: Rounds; expected: number }[] = [];
    while (found.length < turns) {
      const during = await besideKind(kind);
      const after = await besideKind('nothing');
      calm.push(after);
      found.push({ during, expected: (before.rate + after.rate) / 2 });
      before = after;
    }
    const costs = found.map(({ during, expected }) => Number(costOf(during.rate, expected)));
    rows.push({
      flood: kind,
      'beside its events, per s': Math.round(median(found.map(({ expected }) => expected))),
      'beside the flood': Math.round(median(found.map(({ during }) => during.rate))),
      'cost %': median(costs), turns: costs.join(', '), 'CPU µs per record': found.at(-1)!.during.cpu,
    });
  }
  const last = await rounds('alone');
  const alone = (first.rate + last.rate) / 2;
  const ordinary = calm.reduce((sum, { rate }) => sum + rate, 0) / calm.length;
  rows.push({
    flood: 'none; beside nothing', 'beside its events, per s': Math.round(ordinary), 'beside the flood': Math.round(alone),
    'cost %': costOf(ordinary, alone), 'CPU µs per record': last.cpu,
  });
  return { rows, worst: Math.max(0, ...rows.slice(0, -1).map((row) => Number(row['cost %']))) };
}

/** Of all names those that were asked for. Throws on one that is unknown. */
function chosen<T extends string>(option: string, all: readonly T[], asked: readonly string[] = all): T[] {
  const unknown = asked.filter((name) => !all.some((one) => one === name));
  if (unknown.length > 0) throw new Error(`${option}: ${unknown.join(', ')} is unknown; there are ${all.join(', ')}`);
  return all.filter((name) => asked.includes(name));
}

/**
 * What an organization that floods its plugins costs the flows of another one, compared with as many events that cost nothing.
 */
export const neighbours: Scenario = {
  name: 'neighbours',
  words: 'flows of an organization beside another one that floods its plugins',
  run: async ({ stack, scale, profiling, ...asked }) => {
    const allKinds = (Object.keys(floods) as FloodKind[]).filter((kind) => kind !== 'nothing');
    const kinds = chosen('--floods', [...allKinds, 'none'], asked.floods).filter((kind) => kind !== 'none');
    const kindsOfFlows = chosen('--flows', ['without', 'with'], asked.flows);
    const services = [await stack.spawn('ingest-api'), await stack.spawn('flow-runner'), await stack.spawn('plugin-deployer')];
    try {
      const { url } = services[0]!;
      const portals = [await stack.crm.addPortal(crmLatencyMs), await stack.crm.addPortal(crmLatencyMs)] as const;
      const open = (portal: Portal) => organizationCaller(stack.configApi, stack.operatorToken, portal);
      const [quiet, loud] = [await open(portals[0]), await open(portals[1])];
      await createLivePlugin(stack.configApi, quiet, { name: 'score', code: smallCode });
      await createLivePlugin(stack.configApi, loud, { name: 'flood', code: floodCode });
      const connectorsOf = (portal: Portal, { call }: typeof quiet, count: number, config: object = customerConfig) =>
        createConnectors(stack.configApi, stack.operatorToken, portal, count, call, () => config);
      const loads: [string, Connector[]][] = [];
      for (const flows of kindsOfFlows) loads.push([
        `${flows} a plugin`, await connectorsOf(portals[0], quiet, 4, flows === 'with' ? withPlugin('score') : customerConfig),
      ]);
      await untilKnown(url, loads.flatMap(([, connectors]) => connectors));
      const flooding: Loud = {
        connect: async () => {
          const [connector] = await connectorsOf(portals[1], loud, 1, withPlugin('flood'));
          await untilKnown(url, [connector!]);
          return connector!;
        },
        end: ({ id }) => loud.call('DELETE', `/api/connectors/${id}`),
      };
      const requests = Math.round(400 * Math.max(scale, 0.5));
      const rows: Record<string, unknown>[] = [];
      let worst = 0;
      for (const [flows, connectors] of loads) {
        let round = 0;
        const run = (): Promise<number> => rateOf(stack, portals[0], {
          url, path: '/api/v1/events', keys: connectors.map(({ apiKey }) => apiKey), senders: 50, shape: 'entities', perRequest,
          prefix: `${flows}-${(round += 1)}`.replaceAll(' ', '-'), requests, updates: 1, durationMs: null, rate: null,
        });
        const rounds = (what: string): Promise<Rounds> =>
          profiled(profiling, { [`flow-runner, flows ${flows}, ${what}`]: services[1]! }, async () => {
            const cpu = stack.measureCpu();
            const rates: number[] = [];
            while (rates.length < roundsEach) rates.push(await run());
            return { rate: median(rates), cpu: perRecord(cpu(), requests * perRequest * roundsEach) };
          });
        // The code of the services gets faster for some thousand records.
        for (let warmUp = 0; warmUp < 4; warmUp += 1) await run();
        const found = await besideEach({ url, loud: flooding, kinds, rounds });
        rows.push(...found.rows.map((row) => ({ flows, ...row })));
        worst = Math.max(worst, found.worst);
      }
      return {
        title: `neighbours: 4 connectors of an organization, one runner, CRM ${crmLatencyMs} ms; another one floods its plugins`,
        rows,
        holds: [atMost('cost of a flood of plugins to flows of another organization, %', worst, 5)],
      };
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  },
};
