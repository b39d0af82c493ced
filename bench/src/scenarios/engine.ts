import { findAction, type ActionPorts } from '@sluice/actions';
import { compileEntity, compileFlow, eventContext, projectRecord } from '@sluice/flow-engine';
import { runFlow } from '@sluice/flow-run';
import { atLeast, type Scenario } from './scenario';

type Entity = Parameters<typeof compileEntity>[0];
type Mapping = NonNullable<Entity['schemas'][string]['field_mappings']>[number];

const map = (source: string, target: string, ...transform: NonNullable<Mapping['transform']>): Mapping => ({
  source: `$.payload.${source}`,
  target,
  ...(transform.length > 0 && { transform }),
});

/** A customer of a shop: twelve mappings as they come, eight with transforms. */
const customer: Entity = {
  name: 'customer',
  schemas: {
    crm: {
      object_type: 'contacts',
      identity: { property: 'email' },
      field_mappings: [
        map('email', 'email', 'normalize_email'),
        map('first_name', 'firstname', 'trim', 'capitalize'),
        map('last_name', 'lastname', 'trim', 'capitalize'),
        map('total', 'total_spent', 'to_number', { name: 'round', args: { digits: 2 } }),
        map('tags', 'tags', { name: 'join', args: { sep: ';' } }),
        map('state', 'state', { name: 'map_values', args: { values: { a: 'active', b: 'blocked' }, default: 'unknown' } }),
        map('born', 'date_of_birth', 'to_date'),
        map('note', 'note', { name: 'default', args: { value: '' } }, { name: 'truncate', args: { length: 40 } }),
        ...Array.from({ length: 12 }, (_, index) => map(`address.field_${index}`, `field_${index}`)),
      ],
    },
  },
};

const payload = {
  email: ' Ana.Silva@Bench.Example ',
  first_name: ' ana ',
  last_name: 'silva',
  total: '59.912',
  tags: ['web', 'returning'],
  state: 'a',
  born: '1990-05-17',
  address: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`field_${index}`, `value ${index}`])),
};

const entities = new Map([['customer', compileEntity(customer)]]);

/** An upsert of 20 mappings between two steps that read and associate, and one that is left out. */
const flow = compileFlow<ActionPorts>(
  {
    name: 'bench',
    source: 'event_api',
    event_type: 'customer.saved',
    steps: [
      { id: 'seek', action: 'find', target: 'crm', entity: 'customer', match: { email: '$.payload.email' } },
      { id: 'save', action: 'upsert', target: 'crm', entity: 'customer', when: { exists: '$.payload.email' } },
      {
        id: 'link', action: 'associate', target: 'crm', from_entity: 'customer', from_external_id: '$save.external_id',
        to_entity: 'customer', to_external_id: '$save.external_id',
      },
      { id: 'halt', action: 'skip', reason: 'blocked', when: { equals: { path: '$.payload.state', value: 'b' } } },
    ],
  },
  { entities, actions: findAction },
);

/** A CRM that answers at once: what is left is the engine. */
const nothing = Promise.resolve({ ok: true as const, value: { record: null, count: 0 } });
const written = { crm_id: '1', created: true, updated: false, skipped: false, reason: null };
const saved = Promise.resolve({ ok: true as const, value: written });
const linked = Promise.resolve({
  ok: true as const,
  value: { associated: 1, failed: 0, skipped: 0, removed: 0, results: [] },
});
const answers = { find: () => nothing, upsert: () => saved, associate: () => linked };

/** The steps of the flow use nothing else of it, and no other port. */
const ports = { crm: answers as Partial<ActionPorts['crm']> } as ActionPorts;

const contextOf = () => eventContext({ payload, event_type: 'customer.saved', connector_id: 'c' });

/** How often `work` runs in a second of CPU: other processes of the machine then do not count. */
async function perCpuSecond(seconds: number, work: () => Promise<void> | void): Promise<number> {
  for (let round = 0; round < 2_000; round += 1) await work();
  const before = process.cpuUsage();
  const used = (): number => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };
  let rounds = 0;
  while (used() < seconds) {
    for (let round = 0; round < 200; round += 1) await work();
    rounds += 200;
  }
  return rounds / used();
}

/** The engine alone, in this process: projections, and whole flows on a CRM that answers at once. */
export const engine: Scenario = {
  name: 'engine',
  words: 'the flow engine alone, in one process, per second of CPU',
  run: async ({ scale }) => {
    const entity = entities.get('customer')!;
    const mappings = entity.crm!.mappings.length;
    const records = await perCpuSecond(4 * scale, () => {
      const projected = projectRecord(entity, contextOf());
      if (!projected.ok) throw new Error(projected.message);
    });
    const runs = await perCpuSecond(4 * scale, async () => {
      const { outcome } = await runFlow(flow, contextOf(), ports);
      if (outcome.status !== 'completed') throw new Error(`the flow ended ${outcome.status}`);
    });
    const round = (value: number): number => Math.round(value / 100) * 100;
    return {
      title: 'engine: per second of CPU of one core',
      rows: [
        { what: `projections of ${mappings} field mappings, 8 of them with transforms`, 'per s': round(records) },
        { what: 'field mappings', 'per s': round(records * mappings) },
        { what: 'flows of four steps (find, upsert, associate, one left out)', 'per s': round(runs) },
        { what: 'flow steps', 'per s': round(runs * flow.steps.length) },
      ],
      holds: [atLeast('field mappings/s on one core', records * mappings, 100_000)],
    };
  },
};
