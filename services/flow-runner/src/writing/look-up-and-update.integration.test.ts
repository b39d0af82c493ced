import type { ConfigDocument, Entity, Step } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, type RunnerLab } from '../test-support/runner-lab';

const order = (name: string): Entity => ({
  name,
  schemas: {
    crm: {
      object_type: 'deals',
      identity: { property: 'description' },
      field_mappings: [
        { source: `$.payload.${name}`, target: 'description' },
        { source: `$.payload.${name}`, target: 'dealname' },
        { source: '$.payload.stage', target: 'dealstage' },
      ],
    },
  },
});
const upsert = (entity: string, more: object = {}): Step => ({ id: entity, action: 'upsert', target: 'crm', entity, ...more });
const associations = ['first', 'second'].map((to) => ({ to_entity: to, to_external_id: `$.payload.${to}` }));

const config: ConfigDocument = {
  version: '3.1',
  entities: [
    order('first'),
    order('second'),
    {
      name: 'customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email' },
            { source: '$.payload.name', target: 'firstname' },
          ],
        },
      },
    },
  ],
  flows: [
    {
      name: 'made',
      source: 'event_api',
      event_type: 'made',
      steps: [upsert('first'), upsert('second'), upsert('customer', { associations })],
    },
    {
      name: 'looked',
      source: 'event_api',
      event_type: 'looked',
      steps: [
        {
          id: 'q', action: 'query', target: 'crm', object_type: 'deals', properties: ['dealname'],
          filters: [{ property: 'description', operator: 'IN', values: ['$.payload.first', '$.payload.second'] }],
          sorts: [{ property: 'dealname', direction: 'DESCENDING' }],
        },
        { id: 'f', action: 'find', target: 'crm', entity: 'customer', match: { email: '$.payload.email' } },
        {
          id: 'n', action: 'find_associated', entity: 'customer', source: '$f.crm_id',
          associations: [{ entity: 'first', as: 'deals', cardinality: 'many', properties: ['description'] }],
        },
        {
          id: 'w', action: 'update_by_id', target: 'crm', object_type: 'deals', object_id: '$q.rows[0].crm_id',
          data: { dealname: 'seen by {$.payload.name}' },
        },
        { id: 'u', action: 'update', target: 'crm', entity: 'customer' },
      ],
    },
    {
      name: 'unknown',
      source: 'event_api',
      event_type: 'unknown',
      steps: [{ id: 'u', action: 'update', target: 'crm', entity: 'customer' }],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
};

const payload = { first: 'N1', second: 'N2', stage: 'appointmentscheduled', email: 'a@shop.test', name: 'Ada' };

describe('flows that look records up and update them', () => {
  let lab: RunnerLab;
  beforeEach(async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);

  it('associates a record with several others in one step, then reads and updates what it made', async () => {
    await lab.send([{ id: 'evt_1', type: 'made', payload }]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed' });
    await lab.send([{ id: 'evt_2', type: 'looked', payload: { ...payload, name: 'Augusta' } }]);
    await settled(2);
    const row = lab.rows()[1]!;
    expect(row).toMatchObject({ status: 'completed', error: null });
    const outputs: Record<string, Record<string, unknown>> = {};
    for (const { id, output } of row.steps) outputs[id] = output as Record<string, unknown>;
    expect(outputs.q).toMatchObject({ count: 2, total: 2, truncated: false });
    expect((outputs.q!.rows as { properties: object }[]).map(({ properties }) => properties)).toMatchObject([
      { dealname: 'N2' },
      { dealname: 'N1' },
    ]);
    const deals = outputs.n!.deals as { properties: { description: string } }[];
    expect(deals.map(({ properties }) => properties.description).sort()).toEqual(['N1', 'N2']);
    const names = (await lab.records('deals')).map(({ properties }) => properties.dealname);
    expect(names.sort()).toEqual(['N1', 'seen by Augusta']);
    expect((await lab.records('contacts')).map(({ properties }) => properties.firstname)).toEqual(['Augusta']);
  });

  it('ends an update of nobody skipped, and makes no record', async () => {
    await lab.send([{ id: 'evt_1', type: 'unknown', payload }]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'skipped', reason: 'record_not_found' });
    expect(await lab.records('contacts')).toEqual([]);
  });
});
