import { type CrmPropertyDefinition, type CrmResult, monotonicClock } from '@sluice/ports';
import { answered, failed, fakeSession } from '../test-support/fake-session';
import { createPropertyCatalog } from './property-catalog';

const property = (name: string, more: Partial<CrmPropertyDefinition> = {}): CrmPropertyDefinition => ({
  name,
  label: name,
  type: 'string',
  fieldType: 'text',
  groupName: 'g',
  ...more,
});
const definitions = [property('number', { hasUniqueValue: true }), property('name')];

function lab(...answers: CrmResult<CrmPropertyDefinition[]>[]) {
  const clock = { at: 0 };
  const catalog = createPropertyCatalog(monotonicClock(() => clock.at));
  const session = fakeSession({ properties: () => Promise.resolve(answers.shift() ?? answered(definitions)) });
  const isUnique = async (name: string, objectType = 'deals'): Promise<boolean | string> => {
    const answer = await catalog.isUnique(session, objectType, name);
    return answer.ok ? answer.value : answer.code;
  };
  return { clock, catalog, session, isUnique };
}

describe('property catalog', () => {
  it('knows which properties the CRM keeps unique; an unknown one is not', async () => {
    const { isUnique } = lab();
    expect([await isUnique('number'), await isUnique('name'), await isUnique('missing')]).toEqual([true, false, false]);
  });

  it.each(['contacts', 'contact', '0-1'])('knows without a read that the email of %s is unique', async (objectType) => {
    const { session, isUnique } = lab();
    expect(await isUnique('email', objectType)).toBe(true);
    expect(session.kinds).toEqual([]);
  });

  it('reads whether another email property is unique', async () => {
    const { session, isUnique } = lab();
    expect(await isUnique('email', 'companies')).toBe(false);
    expect(session.kinds).toEqual(['read']);
  });

  it('reads an object type once for concurrent requests, and again after ten minutes', async () => {
    const { clock, session, isUnique } = lab();
    await Promise.all([isUnique('number'), isUnique('name')]);
    clock.at = 599_999;
    await isUnique('number');
    expect(session.kinds).toHaveLength(1);
    await isUnique('number', 'companies');
    expect(session.kinds).toHaveLength(2);
    clock.at = 600_000;
    await isUnique('number');
    expect(session.kinds).toHaveLength(3);
  });

  it('answers synchronously what it has read', async () => {
    const { catalog, session, isUnique } = lab();
    await isUnique('number');
    expect(catalog.isUnique(session, 'deals', 'number')).toEqual({ ok: true, value: true });
    expect(catalog.isUnique(session, 'deals', 'name')).toEqual({ ok: true, value: false });
  });

  it('keeps portals separate', async () => {
    const { catalog, isUnique } = lab();
    expect(await isUnique('number')).toBe(true);
    const other = fakeSession({ properties: () => Promise.resolve(answered([])) }, 'other');
    expect(await catalog.isUnique(other, 'deals', 'number')).toEqual({ ok: true, value: false });
  });

  it('does not remember a failure', async () => {
    const { isUnique } = lab(failed('transient', 503, 'crm_unavailable'));
    expect(await isUnique('number')).toBe('crm_unavailable');
    expect(await isUnique('number')).toBe(true);
  });

  it('reads again after forget', async () => {
    const { catalog, session, isUnique } = lab(answered([property('number')]));
    expect(await isUnique('number')).toBe(false);
    catalog.forget(session, 'deals');
    expect(await isUnique('number')).toBe(true);
  });
});
