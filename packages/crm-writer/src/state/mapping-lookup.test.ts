import { type Mapping, type MappingKey, monotonicClock } from '@sluice/ports';
import { positionAt, testContext } from '../test-support/test-context';
import { createActivity } from '../batching/activity';
import { createMappingLookup } from './mapping-lookup';
import type { UnitContext } from '../shared/unit-context';

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

/** @param removedAt the offset of the deletion of their record in the store */
function lab(rows: Mapping[] = [], removedAt: bigint | null = null) {
  const asked: MappingKey[][] = [];
  const clock = { now: 1 };
  const activity = createActivity();
  const mappings = (keys: readonly MappingKey[]): Promise<Mapping[]> => { asked.push([...keys]); return Promise.resolve(rows); };
  const haveNewerRemovals = (keys: readonly { position: { offset: bigint } }[]): Promise<boolean[]> =>
    Promise.resolve(keys.map(({ position }) => removedAt !== null && removedAt > position.offset));
  const lookup = createMappingLookup(
    { mappings, haveNewerRemovals }, { activity, remembered: 3, monotonicNow: monotonicClock(() => clock.now) },
  );
  const find = (unit: UnitContext, externalId = 'A1'): Promise<Mapping | null> => {
    activity.enter();
    return Promise.resolve(lookup.find(unit, 'order', externalId)).finally(() => activity.leave());
  };
  return { asked, lookup, find, rows, clock };
}

describe('mapping lookup', () => {
  it('reads a mapping once, together with others requested at the same time', async () => {
    const { asked, find } = lab([stored(4n)]);
    expect(await Promise.all([find(testContext(5n), 'B2'), find(testContext(5n))])).toMatchObject([null, { crmId: '77' }]);
    expect(await find(testContext(6n))).toMatchObject({ crmId: '77' });
    expect(asked.map((keys) => keys.map((key) => key.externalId))).toEqual([['B2', 'A1']]);
  });

  it('reads again a mapping that did not exist', async () => {
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

  it('does not use cached mappings of an earlier binding', async () => {
    const { lookup, find } = lab();
    lookup.save(testContext(1n), record('77'), true);
    expect(await find(testContext(2n, { binding: { credentialId: 'credential', portalId: 'portal', epoch: 2 } }))).toBeNull();
  });

  it('drops cached mappings once a mapping of the connector was removed by hand', async () => {
    const { lookup, find } = lab();
    lookup.save(testContext(1n), record('77'), true);
    const binding = { credentialId: 'credential', portalId: 'portal', epoch: 1, mappingsRemoved: 1 };
    expect(await find(testContext(2n))).toMatchObject({ crmId: '77' });
    expect(await find(testContext(3n, { binding }))).toBeNull();
  });

  it('reads the store for a guarded unit also when it is cached: another runner may have written', async () => {
    const { asked, lookup, find } = lab([stored(9n)]);
    lookup.save(testContext(3n), record('77'), true);
    expect(await find(testContext(5n, { guarded: true }))).toMatchObject({ position: { offset: 9n } });
    expect(asked).toHaveLength(1);
  });

  it('prefers a mapping that this process wrote and has not settled yet', async () => {
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

  it('keeps the most recently used within its bound, and reads the others again', async () => {
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

  it('does not restore a mapping to a record that was deleted while another write to it was under way', async () => {
    const { lookup, find } = lab();
    const [late, next] = [testContext(9n), testContext(8n)];
    lookup.save(testContext(5n), record('77'), true);
    lookup.remove(testContext(7n), record('77'));
    lookup.save(next, record('78'), true);
    lookup.save(late, record('77'), true);
    expect(await find(testContext(11n))).toMatchObject({ crmId: '78' });
    expect([late.effects.mappings, next.effects.mappings]).toMatchObject([[], [{ crmId: '78' }]]);
  });

  it('saves a mapping again that was removed although its record stays', async () => {
    const { lookup, find } = lab([stored(4n)]);
    lookup.remove(testContext(7n), record('77'), true);
    expect(await find(testContext(8n))).toBeNull();
    const again = testContext(9n);
    lookup.save(again, record('77'), false);
    expect(again.effects.mappings).toMatchObject([{ crmId: '77' }]);
    expect(await find(testContext(10n))).toMatchObject({ crmId: '77' });
  });

  it('saves a mapping to a deleted record that people restored: an attempt that began later has written it', async () => {
    const { lookup, find } = lab();
    const begun = (offset: bigint) => testContext(offset, { removalsSeen: lookup.removalsSoFar() });
    const underWay = begun(8n);
    lookup.remove(testContext(7n), record('77'));
    const [searched, wrote] = [begun(9n), begun(10n)];
    lookup.save(underWay, record('77'), true);
    lookup.save(searched, record('77'), false);
    lookup.save(wrote, record('77'), true);
    expect([underWay, searched, wrote].map(({ effects }) => effects.mappings.length)).toEqual([0, 0, 1]);
    expect(await find(testContext(11n))).toMatchObject({ crmId: '77' });
  });

  it('does not take a record of another portal for a deleted one that had its id', async () => {
    const { lookup, find, rows } = lab();
    lookup.remove(testContext(9n), record('77'));
    const rebound = testContext(10n, { binding: { credentialId: 'credential', portalId: 'elsewhere', epoch: 2 } });
    rows.push(stored(4n, { portalId: 'elsewhere', bindingEpoch: 2 }));
    expect(await find(rebound)).toMatchObject({ crmId: '77', portalId: 'elsewhere' });
    const saved = testContext(11n, rebound);
    lookup.save(saved, record('77'), true);
    expect(saved.effects.mappings).toMatchObject([{ crmId: '77', portalId: 'elsewhere' }]);
  });

  it('knows without a read that something newer was written', () => {
    const { asked, lookup } = lab([stored(9n)]);
    const outdated = (offset: bigint): boolean => lookup.outdated(testContext(offset), 'order', 'A1');
    expect(outdated(5n)).toBe(false);
    lookup.save(testContext(7n), record('77'), true);
    expect([6n, 7n, 8n].map(outdated)).toEqual([true, false, false]);
    lookup.forget(testContext(), 'order', 'A1');
    expect(outdated(6n)).toBe(false);
    expect(asked).toEqual([]);
  });

  describe('after its partition came from another owner', () => {
    const since = { ownedSince: 5 };

    it('reads a cached mapping again, once', async () => {
      const { asked, find, rows, clock } = lab([stored(4n)]);
      expect(await find(testContext(5n))).toMatchObject({ crmId: '77' });
      rows[0] = stored(6n, { crmId: '88' });
      clock.now = 6;
      expect(await find(testContext(7n, since))).toMatchObject({ crmId: '88' });
      expect(await find(testContext(8n, since))).toMatchObject({ crmId: '88' });
      expect(asked).toHaveLength(2);
    });

    it.each([
      ['when the other owner deleted the record', 6n, null],
      ['that it has not settled yet', null, { crmId: '77' }],
      ['that it made after a deletion', 3n, { crmId: '77' }],
    ])('keeps a mapping %s, when the store has none', async (_, removedAt, found) => {
      const { lookup, find } = lab([], removedAt);
      lookup.save(testContext(4n), record('77'), true);
      const answer = await find(testContext(7n, since));
      expect(answer && { crmId: answer.crmId }).toEqual(found);
    });

    it('treats a record that was only found as the one that the other owner deleted', async () => {
      const { lookup, find } = lab([stored(null, { crmId: '88' })], 6n);
      lookup.save(testContext(4n), record('77'), true);
      expect(await find(testContext(7n, since))).toMatchObject({ crmId: '88' });
    });
  });
});
