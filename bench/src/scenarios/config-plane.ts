import { median } from '../report/percentile';
import { type Call, openOrganization } from '../stack/tenant';
import { atMost, type Scenario } from './scenario';

/** The config that is measured: 200 flows, about 500 KB. */
const [flows, entities, targetBytes] = [200, 20, 500_000];
const rounds = 20;

const map = (source: string, target: string) =>
  ({ source, target, transform: ['trim', { name: 'default', args: { value: '' } }] });

function largeConfig(round: number): object {
  const entity = (index: number) => ({
    name: `entity_${index}`,
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [
          map('$.payload.email', 'email'),
          ...Array.from({ length: 20 }, (_, field) => map(`$.payload.part_${index}.field_${field}`, `bench_${index}_${field}`)),
        ],
      },
    },
  });
  const flow = (index: number) => ({
    name: `flow_${index}`, source: 'event_api', event_type: `kind_${index}.saved`, note: '',
    steps: Array.from({ length: 5 }, (_, step) => ({
      id: `step_${step}`, action: 'upsert', target: 'crm', entity: `entity_${(index + step) % entities}`,
      when: { all: [{ exists: '$.payload.email' }, { equals: { path: '$.payload.kind', value: `v${step}` } }] },
    })),
  });
  const config = {
    version: '3.1', entities: Array.from({ length: entities }, (_, index) => entity(index)),
    flows: Array.from({ length: flows }, (_, index) => flow(index)), sources: [], settings: { round },
  };
  // The rest of the size is text that a flow keeps.
  const note = 'x'.repeat(Math.max(0, Math.floor((targetBytes - JSON.stringify(config).length) / flows)));
  return { ...config, flows: config.flows.map((one) => ({ ...one, note })) };
}

/** Sum and count of the seconds that checks have taken, from the service's metrics. */
async function checks(configApi: string): Promise<{ sum: number; count: number }> {
  const text = await (await fetch(`${configApi}/metrics`)).text();
  const of = (name: string): number =>
    text.split('\n').filter((line) => line.includes(`work_thread_seconds_${name}{job="check_config"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  return { sum: of('sum'), count: of('count') };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function measure(call: Call, configApi: string) {
  const { id } = await call<{ id: string }>('POST', '/api/connectors', { name: 'Large' });
  const [saves, publishes]: [number[], number[]] = [[], []];
  const path = `/api/connectors/${id}`;
  // The first publish creates the properties; the CRM's time is not ours.
  await call('PUT', `${path}/draft`, largeConfig(0));
  await call('POST', `${path}/publish`, {});
  const before = await checks(configApi);
  for (let round = 1; round <= rounds; round += 1) {
    const config = largeConfig(round);
    saves.push(await timed(() => call('PUT', `${path}/draft`, config)));
    publishes.push(await timed(() => call('POST', `${path}/publish`, {})));
  }
  const after = await checks(configApi);
  const check = ((after.sum - before.sum) / (after.count - before.count)) * 1_000;
  return { saves, publishes, check, bytes: JSON.stringify(largeConfig(rounds)).length };
}

/** A large config, saved and published again and again, on a portal that answers at once and has all it needs. */
export const configPlane: Scenario = {
  name: 'config',
  words: 'a config of 500 KB with 200 flows: how long its check, its save and its publish take',
  async run({ stack }) {
    const portal = await stack.crm.addPortal(0);
    const call = await openOrganization(stack.configApi, stack.operatorToken, portal);
    const { saves, publishes, check, bytes } = await measure(call, stack.configApi);
    const row = (what: string, values: number[]) => ({
      what, 'p50 ms': Math.round(median(values)), 'max ms': Math.round(Math.max(...values)),
    });
    return {
      title: `A config of ${Math.round(bytes / 1_000)} KB with ${flows} flows, ${rounds} times`,
      rows: [{ what: 'check (mean)', 'p50 ms': Math.round(check), 'max ms': '' }, row('save', saves), row('publish', publishes)],
      holds: [
        atMost('milliseconds of a check', check, 150),
        atMost('median milliseconds of a publish', median(publishes), 2_000),
      ],
    };
  },
};
