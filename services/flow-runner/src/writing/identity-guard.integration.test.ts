import { until } from '@sluice/ports/testing';
import { plainConfig, plainEntity, writingFlow } from '../test-support/plain-config';
import { runnerLab, type RunnerLab } from '../test-support/runner-lab';

const guard = { properties: ['firstname', 'lastname', 'phone'], max_changed: 1 };
/** A guarded contact, unique in the CRM, and a guarded company, which is not. */
const config = plainConfig(
  [
    plainEntity('person', 'contacts', ['email', 'firstname', 'lastname', 'phone'], { guard }),
    plainEntity('firm', 'companies', ['domain', 'name', 'city'], { guard: { properties: ['name', 'city'], max_changed: 0 } }),
  ],
  ['person', 'firm'].map((entity) => writingFlow(entity, 'upsert', entity)),
);

describe('identity guard', () => {
  let lab: RunnerLab;
  let sent = 0;
  beforeEach(async () => {
    sent = 0;
    lab = await runnerLab(config);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  const run = async (type: string, payload: Record<string, unknown>): Promise<unknown> => {
    sent += 1;
    await lab.send([{ id: `evt_${sent}`, type, payload }]);
    await until(`${sent} rows`, () => lab.rows().length >= sent);
    const { status, errorCode, replayable } = lab.rows()[sent - 1]!;
    return { status, errorCode, replayable };
  };
  const quarantined = { status: 'quarantined', errorCode: 'identity_guard', replayable: true };
  const completed = { status: 'completed', errorCode: null, replayable: false };
  const ada = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace', phone: '1' };

  it('lets as many guarded properties of a mapped record change as it says, and no more', async () => {
    expect(await run('person', ada)).toEqual(completed);
    expect(await run('person', { ...ada, email: ' ADA@example.com', firstname: 'Augusta' })).toEqual(completed);
    expect(await run('person', { ...ada, firstname: 'Bob', lastname: 'Builder' })).toEqual(quarantined);
    expect((await lab.records('contacts'))[0]!.properties).toMatchObject({ firstname: 'Augusta', lastname: 'Lovelace' });
  });

  it('guards a record of somebody else, found by a unique property or by search, and never a new one', async () => {
    const edit = (object_type: string, properties: Record<string, string>): Promise<unknown> =>
      lab.sim('POST', '/_sim/edits', { portal_id: 1000001, object_type, action: 'create', properties });
    await edit('contacts', { email: 'ada@example.com', firstname: 'Eve', lastname: 'Else', phone: '1' });
    await edit('companies', { domain: 'example.com', name: 'Example', city: 'Berlin' });
    expect(await run('person', ada)).toEqual(quarantined);
    expect(await run('firm', { domain: 'example.com', name: 'Example', city: 'Berlin' })).toEqual(completed);
    expect(await run('firm', { domain: 'example.com', name: 'Another', city: 'Berlin' })).toEqual(quarantined);
    expect(await run('firm', { domain: 'new.example', name: 'New', city: 'Rome' })).toEqual(completed);
    expect((await lab.records('companies')).map(({ properties }) => properties['name'])).toEqual(['Example', 'New']);
  });

  it('reads nothing for an event that cannot break it', async () => {
    await run('person', { email: 'ada@example.com', firstname: 'Ada' });
    await run('person', { email: 'ada@example.com', firstname: 'Augusta' });
    const { items } = await lab.sim('GET', '/_sim/calls?path=batch/read');
    expect(items).toEqual([]);
  });
});
