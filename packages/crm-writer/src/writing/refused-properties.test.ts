import { type CallFailure, type CallResult, type CrmPropertyDefinition, monotonicClock, type RecordWrite } from '@sluice/ports';
import { fakeSession } from '../test-support/fake-session';
import { type NotedWrite, RefusedProperties } from './refused-properties';

type Definition = 'writable' | 'read-only' | null;

function lab() {
  const clock = { at: 10_000 };
  /** What the catalogue says of `colour`; `reads`: from when on each read had to be. */
  const portal = { colour: null as Definition, reads: [] as number[], away: false };
  const definition = async (
    _session: unknown, _type: string, property: string, since = -Infinity,
  ): Promise<CallResult<CrmPropertyDefinition | null>> => {
    portal.reads.push(since);
    if (portal.away) return { ok: false, kind: 'transient', code: 'crm_unavailable', message: '' };
    const known = property === 'colour' ? portal.colour : 'writable';
    const readOnly = known === 'read-only';
    const found = known && { name: property, label: '', type: 'string', fieldType: 'text', groupName: '', readOnly };
    return { ok: true, value: found };
  };
  const deps = { monotonicNow: monotonicClock(() => clock.at), catalog: { definition } };
  const refused = new RefusedProperties(deps, fakeSession({}));
  const newWrite = (properties: RecordWrite['properties'] = { email: 'a@x.co', colour: 'red', name: 'A' }): NotedWrite => ({
    entity: 'person', objectType: 'contacts', externalId: null, identityProperty: 'email', identityValue: 'a@x.co',
    properties: { ...properties }, warnings: [],
  });
  const unit = (configVersion = 1) => ({ connectorId: 'c', configVersion });
  const insistedOn = new Set<string>();
  const refuse = async (write: NotedWrite, error = 'PROPERTY_DOESNT_EXIST', names = ['colour']) =>
    refused.leaveOut({ write, unit: unit(), sentAt: clock.at, insistedOn }, refusal(error, names));
  /** The properties that are sent of a write of the next event. */
  const next = async (version = 1): Promise<string[]> => {
    const write = newWrite();
    await refused.leaveOutKnown({ unit: unit(version), write });
    return Object.keys(write.properties);
  };
  return { clock, portal, newWrite, refuse, next, insistedOn };
}

const refusal = (error: string, names: string[]): CallFailure => ({
  ok: false, kind: 'permanent', code: 'crm_rejected',
  message: `Property values were not valid: ${JSON.stringify(names.map((name) => ({ name, error })))}`,
});
const [all, without] = [['email', 'colour', 'name'], ['email', 'name']];

describe('properties that the portal refuses', () => {
  it('are left out with a warning, also of later writes, while the portal lacks them', async () => {
    const { clock, newWrite, refuse, next } = lab();
    const write = newWrite();
    expect(await refuse(write)).toBe(true);
    expect(Object.keys(write.properties)).toEqual(without);
    expect(write.warnings).toEqual([{ property: 'colour', code: 'unknown_property' }]);
    clock.at += 590_000;
    expect(await next()).toEqual(without);
  });

  it('are asked of the catalogue before they are left out, in a read of the last two seconds', async () => {
    const { clock, portal, newWrite, refuse, next } = lab();
    await refuse(newWrite());
    clock.at += 3_000;
    expect(await next()).toEqual(without);
    expect(portal.reads.at(-1)).toBe(11_000);
    clock.at += 2_000;
    portal.colour = 'writable';
    expect(await next()).toEqual(all);
    expect(portal.reads.at(-1)).toBe(13_000);
  });

  it('are asked of the catalogue again at once under a new version of the config', async () => {
    const { clock, portal, newWrite, refuse, next } = lab();
    await refuse(newWrite());
    expect(await next(7)).toEqual(without);
    clock.at += 100;
    portal.colour = 'writable';
    expect(await next(8)).toEqual(all);
    expect(portal.reads.at(-1)).toBe(clock.at);
  });

  it('are sent again once when the catalogue says that they can be written, and then left out', async () => {
    const { clock, portal, newWrite, refuse, next } = lab();
    portal.colour = 'writable';
    const write = newWrite();
    expect(await refuse(write)).toBe(true);
    expect(Object.keys(write.properties)).toEqual(all);
    expect(await refuse(write)).toBe(true);
    expect(Object.keys(write.properties)).toEqual(without);
    // The CRM decides, until another version is active.
    clock.at += 5_000;
    expect([await next(), await next(2)]).toEqual([without, all]);
  });

  it('are left out when nobody may write them any more', async () => {
    const { portal, newWrite, refuse } = lab();
    portal.colour = 'read-only';
    const write = newWrite();
    expect(await refuse(write, 'READ_ONLY_VALUE')).toBe(true);
    expect(write.warnings).toEqual([{ property: 'colour', code: 'read_only_property' }]);
  });

  it('are left out by the refusal alone, and sent again next time, while the catalogue cannot be read', async () => {
    const { portal, newWrite, refuse, next } = lab();
    portal.away = true;
    const write = newWrite();
    expect(await refuse(write)).toBe(true);
    expect(Object.keys(write.properties)).toEqual(without);
    expect(await next()).toEqual(all);
  });

  it('are never the identity, nor all of a write; another refusal names none', async () => {
    const { newWrite, refuse, insistedOn } = lab();
    insistedOn.add('email');
    expect(await refuse(newWrite({ email: 'a@x.co', colour: 'red' }), undefined, ['email'])).toBe(false);
    expect(await refuse(newWrite({ colour: 'red' }))).toBe(false);
    expect(await refuse(newWrite(), 'INVALID_OPTION')).toBe(false);
  });
});
