import { until } from '@sluice/ports/testing';
import { plainConfig, plainEntity, writingFlow } from '../test-support/plain-config';
import { runnerLab, type RunnerLab } from '../test-support/runner-lab';

const config = plainConfig(
  [
    plainEntity('person', 'contacts', ['email', 'tier', 'topics', 'city']),
    plainEntity('deal', 'deals', ['dealname', 'dealstage', 'tier']),
  ],
  ['person', 'deal'].map((entity) => writingFlow(`${entity}_synced`, 'upsert', entity)),
);
const definitions = '/crm/v3/properties';
const option = (value: string, displayOrder: number) => ({ label: value, value, displayOrder, hidden: false });

describe('missing options', () => {
  let lab: RunnerLab;
  let sent = 0;
  beforeEach(async () => {
    sent = 0;
    lab = await runnerLab(config);
    for (const type of ['contacts', 'deals']) await enumeration(type, 'tier', 'select', [option('gold', 0)]);
    await enumeration('contacts', 'topics', 'checkbox', [option('a', 0)]);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  const enumeration = (type: string, name: string, fieldType: string, options: object[]): Promise<unknown> =>
    lab.sim('POST', `${definitions}/${type}`, {
      name,
      label: name,
      type: 'enumeration',
      fieldType,
      groupName: type === 'deals' ? 'dealinformation' : 'contactinformation',
      options,
    });
  const optionsOf = async (type: string, name: string): Promise<unknown> =>
    ((await lab.sim('GET', `${definitions}/${type}/${name}`)) as { options: { value: string }[] }).options.map(
      ({ value }) => value,
    );
  const run = async (entity: string, ...payloads: Record<string, unknown>[]): Promise<unknown[]> => {
    const before = sent;
    sent += payloads.length;
    await lab.send(
      payloads.map((payload, index) => ({
        id: `evt_${before + index}`,
        type: `${entity}_synced`,
        record: [entity, `${before + index}`],
        payload,
      })),
    );
    await until(`${sent} rows`, () => lab.rows().length >= sent);
    return lab.rows().slice(before).map(({ status, errorCode }) => errorCode ?? status);
  };

  it('are appended for the values about to be sent, and the others stay', async () => {
    expect(await run('person', { email: 'a@x.co', tier: 'silver', topics: 'a;b;c' })).toEqual(['completed']);
    expect(await optionsOf('contacts', 'tier')).toEqual(['gold', 'silver']);
    expect(await optionsOf('contacts', 'topics')).toEqual(['a', 'b', 'c']);
    expect((await lab.records('contacts'))[0]!.properties).toMatchObject({ tier: 'silver', topics: 'a;b;c' });
  });

  it('are all there when many records ask at once, of one property, on creates and updates', async () => {
    const tiers = Array.from({ length: 12 }, (_, index) => `tier-${index}`);
    const deals = tiers.map((tier, index) => ({ dealname: `D${index}`, dealstage: 'closedwon', tier }));
    expect(await run('deal', ...deals)).toEqual(tiers.map(() => 'completed'));
    expect(await run('deal', { ...deals[0], tier: 'other' })).toEqual(['completed']);
    expect(new Set((await optionsOf('deals', 'tier')) as string[])).toEqual(new Set(['gold', ...tiers, 'other']));
    expect((await lab.records('deals')).map(({ properties }) => properties['tier']).sort()).toEqual(
      ['other', ...tiers.slice(1)].sort(),
    );
  });

  it('are not made up for stages, nor when something else is wrong too, nor against the will of the CRM', async () => {
    expect(await run('deal', { dealname: 'D', dealstage: 'nowhere' })).toEqual(['crm_rejected']);
    expect(await run('deal', { dealname: 'D', dealstage: 'nowhere', tier: 'silver' })).toEqual(['crm_rejected']);
    await lab.sim('POST', '/_sim/faults', { method: 'PATCH', path: 'properties/contacts/tier', status: 403, times: 1 });
    expect(await run('person', { email: 'a@x.co', tier: 'silver' })).toEqual(['crm_rejected']);
    expect([await optionsOf('deals', 'dealstage'), await optionsOf('contacts', 'tier')]).not.toContainEqual(
      expect.arrayContaining(['silver']),
    );
    expect(await run('person', { email: 'a@x.co', tier: 'silver' })).toEqual(['completed']);
  });

  it('are appended again when another process took them away meanwhile, and not for ever', async () => {
    await lab.sim('POST', '/_sim/faults', {
      method: 'PATCH',
      path: 'properties/contacts/tier',
      status: 200,
      body: { name: 'tier' },
      times: 1,
    });
    expect(await run('person', { email: 'a@x.co', tier: 'silver' })).toEqual(['completed']);
    await lab.sim('POST', '/_sim/faults', {
      method: 'PATCH',
      path: 'properties/contacts/tier',
      status: 200,
      body: { name: 'tier' },
    });
    expect(await run('person', { email: 'a@x.co', tier: 'bronze' })).toEqual(['crm_rejected']);
    expect(
      ((await lab.sim('GET', '/_sim/calls?path=properties/contacts/tier')) as { items: { method: string }[] }).items.filter(
        ({ method }) => method === 'PATCH',
      ),
    ).toHaveLength(5);
  });

  it('cost nothing where none is missing', async () => {
    const asked = async (): Promise<number> => ((await lab.sim('GET', '/_sim/calls?path=properties')) as { total: number }).total;
    const before = await asked();
    expect(await run('person', { email: 'a@x.co', tier: 'gold' }, { email: 'b@x.co', tier: 'gold' })).toEqual([
      'completed',
      'completed',
    ]);
    expect(await asked()).toBe(before);
  });
});
