import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const upserts = '/crm/v3/objects/contacts/batch/upsert';
const map = (source: string, target: string): { source: string; target: string } => ({ source: `$.payload.${source}`, target });
const mappings = [map('email', 'email'), map('name', 'firstname'), map('phone', 'phone'), map('number', 'member_number')];

/** Customers are known by their email (unique), members by their phone (not unique); both may bring a member number (unique). */
const config: ConfigDocument = {
  version: '3.1',
  entities: [
    {
      name: 'customer',
      schemas: { crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: mappings } },
    },
    { name: 'member', schemas: { crm: { object_type: 'contacts', identity: { property: 'phone' }, field_mappings: mappings } } },
  ],
  flows: ['customer', 'member'].map((entity) => ({
    name: entity,
    source: 'event_api',
    event_type: `${entity}_synced`,
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity }],
  })),
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
};

const event = (id: string, type: 'customer' | 'member', externalId: string, payload: Record<string, unknown>): LabEvent => ({
  id,
  type: `${type}_synced`,
  record: [type, externalId],
  payload,
});

describe('a unique value that another record has', () => {
  let lab: RunnerLab;
  beforeEach(async () => {
    lab = await runnerLab(config);
    await lab.sim('POST', '/crm/v3/properties/contacts', {
      name: 'member_number',
      label: 'Member number',
      type: 'string',
      fieldType: 'text',
      groupName: 'contactinformation',
      hasUniqueValue: true,
    });
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  /** What the CRM holds before. @returns its id */
  const made = async (properties: Record<string, string>): Promise<string> =>
    (await lab.sim('POST', '/_sim/edits', { portal_id: 1_000_001, object_type: 'contacts', action: 'create', properties }))
      .id as string;
  const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);
  const contact = async (id: string) => (await lab.records('contacts')).find((record) => record.id === id)!;
  const taken = (holder: string) => ({
    status: 'failed',
    attempts: 1,
    errorKind: 'permanent',
    errorCode: 'crm_value_taken',
    error: expect.stringContaining(`record ${holder} `),
  });

  it('fails a create at once, leaves the holder alone, and the lane goes on', async () => {
    const holder = await made({ email: 'a@shop.test', phone: '1', firstname: 'holder' });
    await lab.send([
      event('evt_1', 'member', 'M', { phone: '2', email: 'a@shop.test', name: 'thief' }),
      event('evt_2', 'member', 'M', { phone: '2', name: 'next' }),
    ]);
    await settled(2);
    expect(lab.rows()[0]).toMatchObject(taken(holder));
    expect(lab.rows()[1]).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await contact(holder)).toMatchObject({ writes: 1, properties: { firstname: 'holder' } });
    expect((await lab.records('contacts')).map(({ properties }) => properties['firstname']).sort()).toEqual(['holder', 'next']);
  });

  it('fails an upsert and an update at once, and leaves the holder alone', async () => {
    const holder = await made({ email: 'a@shop.test', member_number: '7', firstname: 'holder' });
    await lab.send([
      event('evt_1', 'customer', 'C', { email: 'c@shop.test', name: 'new', number: '7' }),
      event('evt_2', 'customer', 'C', { email: 'c@shop.test', name: 'fine' }),
      event('evt_3', 'customer', 'C', { email: 'c@shop.test', name: 'thief', number: '7' }),
    ]);
    await settled(3);
    expect(lab.rows().map(({ unit, status }) => [unit.eventId, status])).toEqual([
      ['evt_1', 'failed'],
      ['evt_2', 'completed'],
      ['evt_3', 'failed'],
    ]);
    for (const n of [0, 2]) expect(lab.rows()[n]).toMatchObject(taken(holder));
    expect(await contact(holder)).toMatchObject({ writes: 1, properties: { firstname: 'holder' } });
  });

  it('updates the record that has the identity value, and the mapping follows', async () => {
    const other = await made({ email: 'b@shop.test', firstname: 'other' });
    const one = event('evt_1', 'customer', 'C', { email: 'a@shop.test', name: 'v1' });
    await lab.send([
      one,
      event('evt_2', 'customer', 'C', { email: 'b@shop.test', name: 'v2' }),
      event('evt_3', 'customer', 'C', { email: 'c@shop.test', name: 'v3' }),
    ]);
    await settled(3);
    expect(lab.rows().map(({ status, crmId }) => [status, crmId])).toEqual([
      ['completed', expect.not.stringMatching(other)],
      ['completed', other],
      ['completed', other],
    ]);
    expect((await contact(other)).properties['firstname']).toBe('v3');
  });

  it('updates the named holder when it has the identity value and the search does not show it yet', async () => {
    await lab.sim('PATCH', '/_sim/portals/1000001', { search_lag_ms: 600_000 });
    const holder = await made({ email: 'a@shop.test', phone: '1', firstname: 'first' });
    await lab.send([event('evt_1', 'member', 'M', { phone: '1', email: 'a@shop.test', name: 'second' })]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed', attempts: 1, crmId: holder });
    expect((await contact(holder)).properties['firstname']).toBe('second');
    expect(
      await lab.store.claim(
        [{ portalId: '1000001', objectType: 'contacts', property: 'phone', value: '1' }],
        [{ connectorId: 'c', unit: 'u' }],
        { abandonedAfterMs: 60_000 },
      ),
    ).toEqual([{ state: 'done', crmId: holder }]);
  });

  it('updates what somebody else created at the same moment', async () => {
    const winner = await made({ email: 'a@shop.test', firstname: 'first' });
    await lab.sim('POST', '/_sim/faults', {
      path: upserts,
      status: 409,
      body: { status: 'error', category: 'CONFLICT', message: `Contact already exists. Existing ID: ${winner}` },
      times: 1,
    });
    await lab.send([event('evt_1', 'customer', 'C', { email: 'a@shop.test', name: 'second' })]);
    await settled(1);
    expect(lab.rows()[0]).toMatchObject({ status: 'completed', attempts: 1, crmId: winner });
    expect((await contact(winner)).properties['firstname']).toBe('second');
  });
});
