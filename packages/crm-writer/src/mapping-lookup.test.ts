import type { Mapping, MappingKey } from '@sluice/ports';
import { positionAt, testContext } from './test-support/test-context';
import { createActivity } from './activity';
import { createMappingLookup, type MappingLookup } from './mapping-lookup';
import type { UnitContext } from './unit-context';

const stored = (offset: bigint | null, more: Partial<Mapping> = {}): Mapping => ({
  connectorId: 'c',
  entity: 'order',
  externalId: 'A1',
  portalId: 'portal',
  objectType: 'deals',
  crmId: '77',
  bindingEpoch: 1,
  position: offset === null ? null : positionAt(offset),
  ...more,
});
const record = (crmId: string) => ({ entity: 'order', externalId: 'A1', objectType: 'deals', crmId });

function lab(rows: Mapping[] = []) {
  const asked: MappingKey[][] = [];
  const activity = createActivity();
  const mappings = (keys: readonly MappingKey[]): Promise<Mapping[]> => { asked.push([...keys]); return Promise.resolve(rows); };
  const lookup = createMappingLookup({ mappings, haveNewerRemovals: () => Promise.resolve([]) }, { activity, remembered: 3 });
  const find = (unit: UnitContext, externalId = 'A1'): ReturnType<MappingLookup['find']> => {
    activity.enter();
    return lookup.find(unit, 'order', externalId).finally(() => activity.leave());
  };
  return { asked, lookup, find, rows };
}

describe('mapping lookup', () => {
  it('reads a mapping once, together with others asked for at the same moment', async () => {
    const { asked, find } = lab([stored(4n)]);
    expect(await Promise.all([find(testContext(5n), 'B2'), find(testContext(5n))])).toMatchObject([null, { crmId: '77' }]);
    expect(await find(testContext(6n))).toMatchObject({ crmId: '77' });
    expect(asked.map((keys) => keys.map((key) => key.externalId))).toEqual([['B2', 'A1']]);
  });

  it('asks again for what was not there', async () => {
    const { find, rows } = lab();
    expect(await find(testContext())).toBeNull();
    rows.push(stored(1n));
    expect(await find(testContext())).toMatchObject({ crmId: '77' });
  });

  it.each([
    ['epoch', { bindingEpoch: 0 }],
    ['portal', { portalId: 'elsewhere' }],
  ])('does not use a mapping of another binding (%s)', async (_what, more) => {
    expect(await lab([stored(4n, more)]).find(testContext())).toBeNull();
  });

  it('does not use what it remembers of a binding left behind', async () => {
    const { lookup, find } = lab();
    lookup.save(testContext(1n), record('77'), true);
    expect(await find(testContext(2n, { binding: { credentialId: 'credential', portalId: 'portal', epoch: 2 } }))).toBeNull();
  });

  it('forgets what it remembers once a mapping of the connector was removed by hand', async () => {
    const { lookup, find } = lab();
    lookup.save(testContext(1n), record('77'), true);
    const binding = { credentialId: 'credential', portalId: 'portal', epoch: 1, mappingsRemoved: 1 };
    expect(await find(testContext(2n))).toMatchObject({ crmId: '77' });
    expect(await find(testContext(3n, { binding }))).toBeNull();
  });

  it('asks the store for a guarded unit even when it remembers: another runner may have written', async () => {
    const { asked, lookup, find } = lab([stored(9n)]);
    lookup.save(testContext(3n), record('77'), true);
    expect(await find(testContext(5n, { guarded: true }))).toMatchObject({ position: { offset: 9n } });
    expect(asked).toHaveLength(1);
  });

  it('prefers what this process wrote and has not settled yet', async () => {
    const { lookup, find } = lab([stored(4n)]);
    lookup.save(testContext(9n), record('88'), true);
    expect(await find(testContext(5n, { guarded: true }))).toMatchObject({ crmId: '88', position: { offset: 9n } });
  });

  it('counts the position of a write, never of a find, and never moves it back', async () => {
    const { lookup, find } = lab();
    const positionAfter = async (offset: bigint, wrote: boolean): Promise<bigint | undefined> => {
      const unit = testContext(offset);
      lookup.save(unit, record('77'), wrote);
      expect(unit.effects.mappings).toEqual([await find(unit)]);
      return (await find(unit))?.position?.offset;
    };
    expect(await positionAfter(3n, false)).toBeUndefined();
    expect(await positionAfter(4n, true)).toBe(4n);
    expect(await positionAfter(9n, false)).toBe(4n);
    expect(await positionAfter(8n, true)).toBe(8n);
    expect(await positionAfter(5n, true)).toBe(8n);
  });

  it('keeps those used last, within its bound, and asks for the others again', async () => {
    const { asked, lookup, find } = lab();
    for (const crmId of ['1', '2', '3', '4']) {
      lookup.save(testContext(1n), { ...record(crmId), externalId: `E${crmId}` }, true);
      if (crmId === '3') await find(testContext(2n), 'E1');
    }
    for (const externalId of ['E1', 'E3', 'E4']) expect(await find(testContext(2n), externalId)).not.toBeNull();
    expect(asked).toEqual([]);
    await find(testContext(2n), 'E2');
    expect(asked.map((keys) => keys.map((key) => key.externalId))).toEqual([['E2']]);
  });

  it('knows without asking that something newer landed', () => {
    const { asked, lookup } = lab([stored(9n)]);
    const outdated = (offset: bigint): boolean => lookup.outdated(testContext(offset), 'order', 'A1');
    expect(outdated(5n)).toBe(false);
    lookup.save(testContext(7n), record('77'), true);
    expect([6n, 7n, 8n].map(outdated)).toEqual([true, false, false]);
    lookup.forget(testContext(), 'order', 'A1');
    expect(outdated(6n)).toBe(false);
    expect(asked).toEqual([]);
  });
});
