import { until } from '@sluice/ports/testing';
import { plainConfig, plainEntity, writingFlow } from '../test-support/plain-config';
import { runnerLab, type RunnerLab } from '../test-support/runner-lab';

const config = plainConfig(
  [
    plainEntity('person', 'contacts', ['email', 'firstname', 'lifecyclestage', 'no_such_thing', 'createdate']),
    plainEntity('member', 'contacts', ['email', 'firstname']),
  ],
  ['person', 'member'].flatMap((entity) =>
    ['upsert', 'update', 'create'].map((action) => writingFlow(`${action}.${entity}`, action, entity)),
  ),
);

describe('rules of the portal that a write meets', () => {
  let lab: RunnerLab;
  beforeEach(async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  let sent = 0;
  const run = async (type: string, payload: Record<string, unknown>, record?: [string, string]) => {
    const before = lab.rows().length;
    await lab.send([{ id: `evt_rule_${(sent += 1)}`, type, payload, ...(record && { record }) }]);
    await until('its row', () => lab.rows().length > before);
    const row = lab.rows()[before]!;
    return { status: row.status, output: row.steps[0]!.output as Record<string, unknown>, error: row.error };
  };
  const contacts = async (...names: string[]) =>
    (await lab.records('contacts')).map(({ properties }) => names.map((name) => properties[name] ?? null));
  const writes = async () =>
    ((await lab.sim('GET', '/_sim/calls?path=contacts/batch')) as { items: { method: string }[] }).items.length;

  it.each(['upsert', 'create'])(
    '%s leaves out properties that the CRM does not know or nobody may write, and says so',
    async (action) => {
      const answer = await run(`${action}.person`, {
        email: 'a@x.co',
        firstname: 'Ann',
        no_such_thing: 1,
        createdate: '2020-01-01',
      });
      expect(answer).toMatchObject({ status: 'completed', output: { created: true } });
      expect(answer.output['warnings']).toEqual(
        expect.arrayContaining([
          { property: 'no_such_thing', code: 'unknown_property' },
          { property: 'createdate', code: 'read_only_property' },
        ]),
      );
      expect(await contacts('email', 'firstname')).toEqual([['a@x.co', 'Ann']]);
      const before = await writes();
      const next = await run(`${action}.person`, { email: 'b@x.co', firstname: 'Bob', no_such_thing: 2 });
      expect(next.output['warnings']).toEqual([{ property: 'no_such_thing', code: 'unknown_property' }]);
      expect(await writes()).toBe(before + 1);
    },
  );

  it('a write of nothing but such properties fails', async () => {
    await run('upsert.person', { email: 'a@x.co', firstname: 'Ann' });
    expect(await run('update.person', { email: 'a@x.co', no_such_thing: 1 })).toMatchObject({ status: 'failed' });
  });

  it('a life cycle stage only moves forward: one that was not taken is told', async () => {
    expect((await run('upsert.person', { email: 'a@x.co', lifecyclestage: 'customer' })).output).not.toHaveProperty('warnings');
    const back = await run('upsert.person', { email: 'a@x.co', firstname: 'Ann', lifecyclestage: 'lead' });
    expect(back).toMatchObject({
      status: 'completed',
      output: { updated: true, warnings: [{ property: 'lifecyclestage', code: 'not_taken' }] },
    });
    expect(await contacts('lifecyclestage', 'firstname')).toEqual([['customer', 'Ann']]);
  });

  it.each([
    ['known by its address', undefined],
    ['known by another id', ['member', 'M-1'] as [string, string]],
  ])('a contact found by a further address keeps its primary one: %s', async (_, record) => {
    const edit = { portal_id: 1_000_001, object_type: 'contacts', action: 'create' };
    await lab.sim('POST', '/_sim/edits', { ...edit, properties: { email: 'first@x.co', hs_additional_emails: 'second@x.co' } });
    expect(await run('upsert.member', { email: 'second@x.co', firstname: 'Ann' }, record)).toMatchObject({
      output: { updated: true },
    });
    expect(await contacts('email', 'hs_additional_emails', 'firstname')).toEqual([['first@x.co', 'second@x.co', 'Ann']]);
    if (record) return;
    expect(await run('upsert.member', { email: 'second@x.co', firstname: 'Anna' })).toMatchObject({ output: { updated: true } });
    expect(await run('update.member', { email: 'Second@x.co', firstname: 'Ann' })).toMatchObject({ output: { updated: true } });
    expect(await contacts('email', 'hs_additional_emails', 'firstname')).toEqual([['first@x.co', 'second@x.co', 'Ann']]);
  });

  it('a new contact has the address of its event, in lower case', async () => {
    expect(await run('upsert.member', { email: 'New@X.co', firstname: 'Ann' })).toMatchObject({ output: { created: true } });
    expect(await contacts('email', 'firstname')).toEqual([['new@x.co', 'Ann']]);
  });
});
