import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const map = (source: string, target: string): { source: string; target: string } => ({ source: `$.payload.${source}`, target });
const flow = (entity: string) => ({
  name: entity,
  source: 'event_api',
  event_type: `${entity}_synced`,
  steps: [{ id: 'save', action: 'upsert' as const, target: 'crm', entity }],
});

/**
 * Two sources describe one contact: each has entities and external ids of its own. Orders are found by a property that is not
 * unique.
 */
const config: ConfigDocument = {
  version: '3.1',
  entities: [
    {
      name: 'customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [map('email', 'email'), map('name', 'firstname')],
        },
      },
    },
    {
      name: 'subscriber',
      schemas: {
        crm: {
          object_type: 'contact',
          identity: { property: 'email' },
          field_mappings: [map('email', 'email'), map('name', 'firstname')],
        },
      },
    },
    {
      name: 'order',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { property: 'description' },
          field_mappings: [map('number', 'description'), map('name', 'dealname'), map('stage', 'dealstage')],
        },
      },
    },
  ],
  flows: [
    flow('customer'),
    flow('subscriber'),
    flow('order'),
    {
      name: 'names',
      source: 'event_api',
      event_type: 'name_synced',
      steps: [{
        id: 'save', action: 'update_by_id', target: 'crm', object_type: 'contact', object_id: '$.external_id',
        data: { firstname: '$.payload.name' },
      }],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
};

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const event = (id: string, type: string, externalId: string, name: string, more: Partial<LabEvent> = {}): LabEvent => ({
  id,
  type: `${type}_synced`,
  record: [type, externalId],
  payload: { email: 'a@shop.test', number: 'N1', stage: 'appointmentscheduled', name },
  ...more,
});
const replayed = (first: LabEvent, acceptedAt: string): LabEvent => ({
  ...first,
  kind: 'replay',
  run: `replay of ${first.id}`,
  acceptedAt,
});

describe('one CRM record under two external ids', () => {
  let lab: RunnerLab;
  beforeEach(async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);
  const written = async (objectType: string, property: string): Promise<(string | null | undefined)[]> => {
    const records = await lab.records(objectType);
    expect(records).toHaveLength(1);
    return records[0]!.write_log.map((entry) => entry.properties[property]);
  };

  it.each([
    ['contacts', 'firstname', 'customer', 'customer'],
    ['contacts', 'firstname', 'customer', 'subscriber'],
    ['deals', 'dealname', 'order', 'order'],
  ])('is not overwritten by an older event of the other (%s.%s: %s, %s)', async (objectType, property, one, other) => {
    const old = event('evt_1', one, 'A', 'v1', { acceptedAt: minutesAgo(2) });
    await lab.send([old]);
    await settled(1);
    await lab.send([event('evt_2', other, 'B', 'v2', { acceptedAt: minutesAgo(1) })]);
    await settled(2);
    await lab.send([replayed(old, minutesAgo(2))]);
    await settled(3);
    expect(lab.rows().at(-1)).toMatchObject({
      status: 'skipped',
      reason: 'superseded',
      crmId: (await lab.records(objectType))[0]!.id,
    });
    expect(await written(objectType, property)).toEqual(['v1', 'v2']);
  });

  it.each([
    ['contacts', 'firstname', 'customer'],
    ['deals', 'dealname', 'order'],
  ])('is not overwritten by an older event that never was mapped (%s.%s)', async (objectType, property, type) => {
    await lab.send([event('evt_2', type, 'B', 'v2', { acceptedAt: minutesAgo(1) })]);
    await settled(1);
    await lab.send([
      replayed(event('evt_1', type, 'A', 'v1'), minutesAgo(2)),
      replayed(event('evt_3', type, 'C', 'v3'), minutesAgo(0)),
    ]);
    await settled(3);
    expect(lab.rows().map(({ status, reason }) => [status, reason])).toEqual([
      ['completed', null],
      ['skipped', 'superseded'],
      ['completed', null],
    ]);
    expect(await written(objectType, property)).toEqual(['v2', 'v3']);
  });

  it('is not overwritten by an older update by id, whose record no mapping leads to, also by another runner', async () => {
    const made = await lab.sim('POST', '/crm/v3/objects/contacts', { properties: { email: 'a@shop.test' } });
    const old = event('evt_1', 'name', made.id, 'v1', { acceptedAt: minutesAgo(2) });
    await lab.send([old]);
    await settled(1);
    await lab.send([event('evt_2', 'name', made.id, 'v2', { acceptedAt: minutesAgo(1) })]);
    await settled(2);
    await lab.runners.pop()!.stop();
    await lab.addRunner();
    await lab.send([replayed(old, minutesAgo(2))]);
    await settled(3);
    expect(lab.rows().at(-1)).toMatchObject({ status: 'skipped', reason: 'superseded', crmId: made.id });
    expect((await lab.records('contacts'))[0]!.properties).toMatchObject({ firstname: 'v2' });
  });

  it('takes what lanes of its own send, in the order in which they send it: only guarded events are compared', async () => {
    await lab.send([event('evt_2', 'customer', 'B', 'v2', { acceptedAt: minutesAgo(1) })]);
    await settled(1);
    await lab.send([event('evt_1', 'customer', 'A', 'v1', { acceptedAt: minutesAgo(2) })]);
    await settled(2);
    expect(await written('contacts', 'firstname')).toEqual(['v2', 'v1']);
  });
});
