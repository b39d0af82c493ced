import type { Arbitration, CrmChange } from '@sluice/ports';
import { arbitrate } from './arbitrate';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const byPerson = (minute: number): CrmChange => ({ at: at(minute), sourceType: 'CRM_UI', sourceId: 'userId:7' });
const byApp = (sourceId: string | null): CrmChange => ({ at: at(50), sourceType: 'INTEGRATION', sourceId });
const mostRecent: Arbitration = { strategy: 'most_recent', perProperty: false, modifiedAt: null };

function winners(
  lastChanges: Record<string, CrmChange>,
  { policy = mostRecent, minute = 10, tokenApp = '1' as string | null, current = {} as Record<string, string> } = {},
): Record<string, string> {
  const properties = { city: 'Rome', phone: '1', amount: 10 };
  const input = { properties, current: { properties: current, lastChanges }, policy, modifiedAt: Date.parse(at(minute)),
    tokenApp };
  return Object.fromEntries(arbitrate(input).map(({ property, winner }) => [property, winner]));
}

describe('arbitrate', () => {
  it('considers only values last edited outside of Sluice: not its own writes, and not values never set', () => {
    expect(winners({ city: byPerson(1), phone: byApp('1') })).toEqual({ city: 'source' });
    expect(winners({ city: byApp('2'), phone: byApp('1') })).toEqual({ city: 'target' });
    expect(winners({ city: byApp('2'), phone: byApp(null) }, { tokenApp: null })).toEqual({});
  });

  it('finds no conflict when the value stays the same in the CRM\'s notation', () => {
    expect(winners({ city: byPerson(20), amount: byPerson(20) }, { current: { city: 'Rome', amount: '10.0' } })).toEqual({});
  });

  it('target_wins: independent of the times', () => {
    const policy: Arbitration = { ...mostRecent, strategy: 'target_wins' };
    expect(winners({ city: byPerson(1), phone: byPerson(20) }, { policy })).toEqual({ city: 'target', phone: 'target' });
  });

  it('most_recent: compares with the newest outside edit, or each property with its own; at equal times the source wins', () => {
    const changes = { city: byPerson(1), phone: byPerson(20) };
    expect(winners(changes)).toEqual({ city: 'target', phone: 'target' });
    expect(winners(changes, { minute: 20 })).toEqual({ city: 'source', phone: 'source' });
    const policy: Arbitration = { ...mostRecent, perProperty: true };
    expect(winners(changes, { policy })).toEqual({ city: 'source', phone: 'target' });
  });

  it('reports both values, and who edited', () => {
    const input = { properties: { city: null }, current: { properties: { city: 'Bonn' }, lastChanges: { city: byPerson(1) } } };
    expect(arbitrate({ ...input, policy: mostRecent, modifiedAt: 0, tokenApp: '1' })).toEqual([
      {
        property: 'city',
        sourceValue: null,
        targetValue: 'Bonn',
        targetModifiedAt: at(1),
        targetModifiedBy: '7',
        winner: 'target',
      },
    ]);
  });
});
