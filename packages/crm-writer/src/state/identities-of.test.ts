import { type Mapping, monotonicClock } from '@sluice/ports';
import { createMappingLookup } from './mapping-lookup';
import { createActivity } from '../batching/activity';
import { identitiesOf, unboundIdentities } from './identities-of';
import { positionAt, testContext } from '../test-support/test-context';

const mapping = (externalId: string, more: Partial<Mapping> = {}): Mapping => ({
  connectorId: 'c', entity: 'contact', externalId, portalId: 'portal', objectType: 'contacts', crmId: '501', bindingEpoch: 1,
  position: null, ...more,
});
const asked = { entity: 'contact', objectType: 'contact', crmId: '501' };

function lab(stored: Mapping[]) {
  const store = { mappings: async () => [], haveNewerRemovals: async () => [] };
  const monotonicNow = monotonicClock(() => 0);
  const lookup = createMappingLookup(store, { activity: createActivity(), remembered: 100, monotonicNow });
  const records = async ({ objectType, crmId }: { objectType: string; crmId: string }) =>
    stored.filter((one) => one.objectType === objectType && one.crmId === crmId);
  /** The identities of another unit. */
  const next = (unit = testContext()) => ({ unit, identities: identitiesOf(lookup, records, unit) });
  return { ...next(), next };
}

describe('the identity mappings of a unit', () => {
  it('give the external id of a CRM record, of the same connector, entity and binding', async () => {
    const others = [
      mapping('other connector', { connectorId: 'd' }), mapping('other entity', { entity: 'company' }),
      mapping('other binding', { bindingEpoch: 0 }), mapping('other record', { crmId: '502' }),
    ];
    expect(await lab([...others, mapping('17')]).identities.externalIdOf(asked)).toEqual({ ok: true, value: '17' });
    expect(await lab(others).identities.externalIdOf(asked)).toEqual({ ok: true, value: null });
  });

  it('give of several external ids the one that wrote the record last', async () => {
    const all = [mapping('a'), mapping('b', { position: positionAt(3n) }), mapping('c', { position: positionAt(7n) })];
    expect(await lab(all).identities.externalIdOf(asked)).toEqual({ ok: true, value: 'c' });
    expect(await lab([mapping('z'), mapping('y')]).identities.externalIdOf(asked)).toEqual({ ok: true, value: 'y' });
  });

  it('show saved and removed mappings at once, and store them with the outcome', async () => {
    const { unit, identities } = lab([]);
    identities.save({ ...asked, externalId: '17' });
    expect(unit.effects.mappings).toMatchObject([{ externalId: '17', objectType: 'contacts', crmId: '501', position: null }]);
    expect(await identities.externalIdOf(asked)).toEqual({ ok: true, value: '17' });
    identities.remove({ ...asked, externalId: '17' });
    expect(await identities.externalIdOf(asked)).toEqual({ ok: true, value: null });
    expect(unit.effects).toMatchObject({ mappings: [], mappingsRemoved: [{ externalId: '17', crmId: '501' }] });
  });

  it('may be saved again after they were removed: the record stays in the CRM', async () => {
    const { identities, next } = lab([]);
    identities.remove({ ...asked, externalId: '17' });
    const { identities: later, unit } = next();
    later.save({ ...asked, externalId: '17' });
    expect(unit.effects.mappings).toMatchObject([{ externalId: '17', crmId: '501' }]);
  });

  it('do not return an external id of which only a digest is kept', async () => {
    const long = `${'x'.repeat(200)}#${'0'.repeat(64)}`;
    const answer = await lab([mapping(long)]).identities.externalIdOf(asked);
    expect(answer).toMatchObject({ kind: 'permanent', code: 'identity_failed' });
  });

  it('are empty without a portal', async () => {
    const failure = { ok: false as const, kind: 'permanent' as const, code: 'crm_portal_not_bound' as const, message: 'none' };
    const none = unboundIdentities(failure);
    const answers = [none.ready(), none.save({ ...asked, externalId: '1' }), await none.externalIdOf(asked)];
    expect(answers).toEqual([failure, failure, failure]);
  });
});
