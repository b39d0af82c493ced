import { eventually } from '@sluice/testkit';
import { call, type Cluster, type Tenant } from '../cluster';
import { eventStatus, finalStatuses } from '../sender';
import { keyOf, many } from './attack';

/** Event types for which the runner's failpoints end the process, whenever one is attempted or planned. */
export const [attemptType, planType] = ['poison.attempt', 'poison.plan'];

const mapping = (source: string, transform: unknown[] = []): object => ({ source, target: 'jobtitle', transform });
const nested = (depth: number): unknown => many(depth, () => 0).reduce<unknown>((inner) => [inner], 'x');
const grow = (count: number): object[] => many(count, () => ({ name: 'replace', args: { search: 'a', with: 'aaaaaaaaaa' } }));

/** What each bomb's event asks for: a small text that makes much of itself. */
const bombs: Readonly<Record<string, { mapping: object; payload: unknown }>> = {
  unions: { mapping: mapping(`$.payload.a${'[0,-1]'.repeat(40)}`), payload: nested(41) },
  descendants: { mapping: mapping(`$.payload.a${'[0,-1]'.repeat(12)}..*`), payload: nested(150) },
  replace: {
    mapping: mapping('$.payload.a', [{ name: 'replace', args: { search: 'a', with: 'b'.repeat(400_000) } }]),
    payload: 'a'.repeat(1_000),
  },
  chain: { mapping: mapping('$.payload.a', grow(8)), payload: 'a'.repeat(1_000) },
  pattern: {
    mapping: mapping('$.payload.a', [{ name: 'match', args: { pattern: `${'('.repeat(400)}b${')'.repeat(400)}` } }]),
    payload: 'a'.repeat(200_000),
  },
};

const email = { source: '$.payload.email', target: 'email' };

/** A config of one entity and flow for each bomb. */
export const bombConfig = {
  version: '3.1',
  entities: Object.entries(bombs).map(([name, bomb]) => ({
    name,
    schemas: { crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: [email, bomb.mapping] } },
  })),
  flows: Object.keys(bombs).map((name) => ({
    name,
    source: 'event_api',
    event_type: `bomb.${name}`,
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: name }],
  })),
  sources: [],
  settings: {},
};

export const poisonConfig = {
  version: '3.1',
  entities: [
    { name: 'victim', schemas: { crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: [email] } } },
  ],
  flows: [
    {
      name: 'victims',
      source: 'event_api',
      event_type: 'poison.*',
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'victim' }],
    },
  ],
  sources: [],
  settings: {},
};

export async function sendEvent(ingest: string, tenant: Tenant, event: string, data: object): Promise<string> {
  return (await call(ingest, 'POST', '/api/v1/events', { event, data }, keyOf(tenant))).event_id as string;
}

/** Sends every bomb so many times. */
export const sendBombs = (ingest: string, tenant: Tenant, each: number): Promise<string[]> =>
  Promise.all(
    Object.entries(bombs).flatMap(([name, { payload }]) =>
      many(each, (index) => sendEvent(ingest, tenant, `bomb.${name}`, { email: `${name}${index}@bombs.test`, a: payload })),
    ),
  );

/** How an event and its only record ended. */
export function ended(ingest: string, tenant: Tenant, eventId: string, timeoutMs: number): ReturnType<typeof eventStatus> {
  return eventually(
    async () => {
      const standing = await eventStatus(ingest, tenant.connectorKey, eventId);
      if (!finalStatuses.has(standing.status)) throw new Error(`still ${standing.status}`);
      return standing;
    },
    { timeoutMs, everyMs: 250 },
  );
}

/** Starts a runner, and another one whenever it has died, as an orchestrator does. */
export function superviseRunner(cluster: Cluster, env: Record<string, string>) {
  const supervised = {
    deaths: [] as string[],
    stop: () => {
      stopped = true;
    },
  };
  let stopped = false;
  void (async () => {
    while (!stopped) {
      // It may die before it has answered its first probe.
      const end = await cluster.startRunner(env, '/livez').then(
        (runner) => runner.ended,
        (error: unknown) => String(error),
      );
      // On a busy machine a start may take too long: that is no death of its own.
      if (!stopped && !end.includes('was not ready')) supervised.deaths.push(end);
    }
  })();
  return supervised;
}
