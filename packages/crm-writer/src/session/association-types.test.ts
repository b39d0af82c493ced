import { type CrmAssociationType, type CrmResult, monotonicClock } from '@sluice/ports';
import { answered, failed, fakeSession } from '../test-support/fake-session';
import { createAssociationTypes } from './association-types';

const types: CrmAssociationType[] = [
  { category: 'HUBSPOT_DEFINED', typeId: 4, label: null },
  { category: 'USER_DEFINED', typeId: 9, label: 'buyer' },
  { category: 'HUBSPOT_DEFINED', typeId: 9, label: 'other' },
];

function lab(answers: CrmResult<CrmAssociationType[]>[] = [answered(types)]) {
  const clock = { at: 0 };
  const session = fakeSession({ associationTypes: () => Promise.resolve(answers.length > 1 ? answers.shift()! : answers[0]!) });
  const chooser = createAssociationTypes(monotonicClock(() => clock.at));
  const choose = (request: Parameters<typeof chooser.choose>[3] = {}) => chooser.choose(session, 'contacts', 'deals', request);
  return { clock, session, choose };
}
const refusal = (code: string) => ({ ok: false, kind: 'permanent', code });

describe('association types', () => {
  it('is the default of the portal when the step names none', async () => {
    expect(await lab().choose()).toEqual({ ok: true, value: { kind: 'default' } });
  });

  it('takes the category of an id from the portal', async () => {
    expect(await lab().choose({ associationTypeId: 4 })).toEqual({
      ok: true,
      value: { kind: 'typed', category: 'HUBSPOT_DEFINED', typeId: 4 },
    });
  });

  it.each([
    ['CRM_DEFINED', 'HUBSPOT_DEFINED'],
    ['USER_DEFINED', 'USER_DEFINED'],
    ['INTEGRATOR_DEFINED', 'INTEGRATOR_DEFINED'],
  ] as const)('uses what a step names when it names both (%s)', async (associationCategory, category) => {
    const { session, choose } = lab();
    expect(await choose({ associationTypeId: 9, associationCategory })).toEqual({
      ok: true,
      value: { kind: 'typed', category, typeId: 9 },
    });
    expect(session.kinds).toEqual([]);
  });

  it('refuses an id the portal does not know, and one of several categories', async () => {
    expect(await lab().choose({ associationTypeId: 5 })).toMatchObject(refusal('unknown_association_type_id'));
    expect(await lab().choose({ associationTypeId: 9 })).toMatchObject(refusal('ambiguous_association_type_id'));
  });

  it('refuses a pair without a definition, until one is created', async () => {
    const { choose } = lab([answered([]), answered(types)]);
    expect(await choose()).toMatchObject(refusal('association_definition_missing'));
    expect(await choose()).toMatchObject({ ok: true });
  });

  it('reads the definitions again before it refuses an id: an administrator may have created it', async () => {
    const { clock, session, choose } = lab([answered(types.slice(0, 1)), answered(types)]);
    await choose();
    clock.at = 2_001;
    expect(await choose({ associationTypeId: 9 })).toMatchObject(refusal('ambiguous_association_type_id'));
    expect(await choose({ associationTypeId: 5 })).toMatchObject(refusal('unknown_association_type_id'));
    expect(session.kinds).toHaveLength(2);
  });

  it('reads the definitions once for concurrent requests, and again after ten minutes', async () => {
    const { clock, session, choose } = lab();
    await Promise.all([choose(), choose({ associationTypeId: 4 })]);
    clock.at = 599_999;
    await choose();
    expect(session.kinds).toEqual(['read']);
    clock.at = 600_000;
    await choose();
    expect(session.kinds).toHaveLength(2);
  });

  it('does not remember a failure', async () => {
    const { choose } = lab([failed('transient', 503), answered(types)]);
    expect(await choose()).toMatchObject({ ok: false, kind: 'transient' });
    expect(await choose()).toMatchObject({ ok: true });
  });
});
