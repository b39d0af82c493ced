import { setTimeout as sleep } from 'node:timers/promises';
import { keepLoaded } from '../neighbours/steady-load';
import { profiled } from '../profile/profile-service';
import { perRecord } from '../stack/cpu-meter';
import { createLivePlugin } from '../stack/live-plugin';
import type { Stack } from '../stack/stack';
import { type Connector, createConnectors, customerConfig, organizationCaller, untilKnown } from '../stack/tenant';
import { crmLatencyMs } from './bench-lab';
import { atMost, type Scenario } from './scenario';

const smallCode = `exports.handler = async ({ payload }) => ({ action: 'continue', label: 'city ' + payload.city });`;

/** What a function does that is flooded, until a time; then what waits behind it ends soon. */
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

const [floodEventsPerSecond, floodMs] = [20, 2_000];
/** Each invocation goes on for so long, but not beyond the end that its event names. */
const floodCodeOf = (kind: FloodKind): string => `const flood = (until) => { ${floods[kind]} };
exports.handler = async ({ payload }) => flood(Math.min(Date.now() + ${floodMs}, Number(payload.end))) ?? {};`;

/** So long before its measurement a flood begins, and so long it is measured: a bound may hold it back for half a minute. */
const [leadMs, measuredMs] = [500, 30_000];
const [requests, perRequest] = [400, 10];
/** Turns of one flood, each between two measurements beside events that cost nothing. */
const turns = 2;
/** The services get faster for so long. */
const warmUpMs = 10_000;

/** The flow of the bench, with a plugin in front. */
const withPlugin = (logicalName: string) => ({
  ...customerConfig,
  flows: customerConfig.flows.map((flow) => ({
    ...flow, steps: [{ id: 'score', action: 'plugin', plugin: { logical_name: logicalName, config: {} } }, ...flow.steps],
  })),
});

/** An organization whose plugin is flooded. */
interface Loud {
  kind: FloodKind;
  /** A connector whose flow has the plugin. */
  connect(): Promise<Connector>;
  /** Deletes it: what is left of its flood ends with it. */
  end(connector: Connector): Promise<void>;
}

/** Sends events to a connector of the loud organization while something is measured. */
async function beside<T>(url: string, { kind, connect, end }: Loud, ms: number, measure: () => Promise<T>): Promise<T> {
  const connector = await connect();
  const headers = { 'content-type': 'application/json', 'x-api-key': connector.apiKey };
  const endsAt = Date.now() + leadMs + ms;
  const flood = (async () => {
    for (let event = 0; Date.now() < endsAt; event += 1) {
      const properties = { end: endsAt, email: `flood-${event}@bench.example`, sequence: '0' };
      const entities = [{ type: 'customer', externalObjectId: `${kind}-${event}`, properties }];
      const body = JSON.stringify({ event: 'sync', entities });
      await fetch(`${url}/api/v1/events`, { method: 'POST', headers, body }).then((response) => response.arrayBuffer());
      await sleep(1_000 / floodEventsPerSecond);
    }
  })();
  // Told where it is awaited, also when the measurement fails first.
  flood.catch(() => undefined);
  try {
    await sleep(leadMs);
    return await measure();
  } finally {
    await flood;
    await end(connector);
  }
}

/** One measurement. */
interface Measured {
  /** Records per second. */
  rate: number;
  /** Microseconds of CPU per record, by part. Functions count with the service that runs them. */
  cpu: string;
}

/** What flows are measured with. */
interface Flows {
  url: string;
  /** Each kind with an organization of its own: what is held against one is not held against the next. */
  louds: Readonly<Record<FloodKind, Loud>>;
  kinds: readonly FloodKind[];
  ms: number;
  /** @param beside what another organization does meanwhile, for the names of profiles */
  measure(beside: string): Promise<Measured>;
}

/** Each flood between two measurements beside the same number of events to a plugin that does nothing; the floods take turns. */
async function besideEach(
  { url, louds, kinds, ms, measure }: Flows,
): Promise<{ rows: Record<string, unknown>[]; worst: number }> {
  const costOf = (rate: number, before: number): number => (1 - rate / before) * 100;
  const besideKind = (kind: FloodKind): Promise<Measured> => beside(url, louds[kind], ms, () => measure(kind));
  const found = new Map(kinds.map((kind) => [kind, [] as { during: Measured; expected: number }[]]));
  const first = await measure('alone, first');
  let before = await besideKind('nothing');
  const calm = [before];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const kind of kinds) {
      const during = await besideKind(kind);
      const after = await besideKind('nothing');
      calm.push(after);
      found.get(kind)!.push({ during, expected: (before.rate + after.rate) / 2 });
      before = after;
    }
  }
  const last = await measure('alone');
  const rows = kinds.map((kind) => {
    const all = found.get(kind)!;
    const costs = all.map(({ during, expected }) => costOf(during.rate, expected));
    return {
      flood: kind, 'beside its events, per s': Math.round(mean(all.map(({ expected }) => expected))),
      'beside the flood': Math.round(mean(all.map(({ during }) => during.rate))), 'cost %': round(mean(costs)),
      turns: costs.map(round).join(', '), 'CPU µs per record': all.at(-1)!.during.cpu,
    };
  });
  const [alone, ordinary] = [mean([first.rate, last.rate]), mean(calm.map(({ rate }) => rate))];
  const ofCalm = {
    flood: 'none; beside nothing', 'beside its events, per s': Math.round(ordinary), 'beside the flood': Math.round(alone),
    'cost %': round(costOf(ordinary, alone)), turns: calm.map(({ rate }) => Math.round(rate)).join(', '),
    'CPU µs per record': `alone: ${last.cpu}; beside its events: ${calm.at(-1)!.cpu}`,
  };
  return { rows: [...rows, ofCalm], worst: Math.max(0, ...rows.map((row) => row['cost %'])) };
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Of all names those that were asked for. Throws on one that is unknown. */
function chosen<T extends string>(option: string, all: readonly T[], asked: readonly string[] = all): T[] {
  const unknown = asked.filter((name) => !all.some((one) => one === name));
  if (unknown.length > 0) throw new Error(`${option}: ${unknown.join(', ')} is unknown; there are ${all.join(', ')}`);
  return all.filter((name) => asked.includes(name));
}

/** Makes organizations with a plugin, each with a portal of its own. */
function organizations(stack: Stack, url: string) {
  const open = async (name: string, code: string) => {
    const portal = await stack.crm.addPortal(crmLatencyMs);
    const { call, token } = await organizationCaller(stack.configApi, stack.operatorToken, portal);
    await createLivePlugin(stack.configApi, { call, token }, { name, code });
    const connect = async (count: number, config: object): Promise<Connector[]> => {
      const connectors = await createConnectors(stack.configApi, stack.operatorToken, portal, count, call, () => config);
      await untilKnown(url, connectors);
      return connectors;
    };
    return { portal, call, connect };
  };
  return {
    quiet: () => open('score', smallCode),
    loud: async (kind: FloodKind): Promise<Loud> => {
      const { call, connect } = await open('flood', floodCodeOf(kind));
      return {
        kind,
        connect: async () => (await connect(1, withPlugin('flood')))[0]!,
        end: ({ id }) => call('DELETE', `/api/connectors/${id}`),
      };
    },
  };
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
      const make = organizations(stack, url);
      const louds = { nothing: await make.loud('nothing') } as Record<FloodKind, Loud>;
      for (const kind of kinds) louds[kind] = await make.loud(kind);
      const { portal, connect } = await make.quiet();
      const ms = measuredMs * Math.max(scale, 0.5);
      const rows: Record<string, unknown>[] = [];
      let worst = 0;
      for (const flows of kindsOfFlows) {
        const keys = (await connect(4, flows === 'with' ? withPlugin('score') : customerConfig)).map(({ apiKey }) => apiKey);
        const load = keepLoaded(stack, portal, (turn) => ({
          url, path: '/api/v1/events', keys, senders: 50, shape: 'entities', perRequest, prefix: `${flows}-${turn}`, requests,
          updates: 1, durationMs: null, rate: null,
        }));
        const measure = (what: string): Promise<Measured> =>
          profiled(profiling, { [`flow-runner, flows ${flows}, ${what}`]: services[1]! }, async () => {
            const cpu = stack.measureCpu();
            const rate = await load.rate(ms);
            return { rate, cpu: perRecord(cpu(), (rate * ms) / 1_000) };
          });
        await load.rate(warmUpMs);
        const found = await besideEach({ url, louds, kinds, ms, measure });
        await load.stop();
        rows.push(...found.rows.map((row) => ({ flows: `${flows} a plugin`, ...row })));
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
