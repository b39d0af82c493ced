import { compileConflicts } from './compiled-conflicts';
import { eventContext } from '../flow-context';

const timestamp = '2026-01-01T00:00:00.000Z';
const ctx = (payload: unknown) => eventContext({ payload, event_type: 't', connector_id: 'c', timestamp });

describe('compileConflicts', () => {
  it('checks nothing without a `conflicts` block, and when the source wins', () => {
    expect(compileConflicts('order', undefined)(ctx({}))).toBeNull();
    expect(compileConflicts('order', { strategy: 'source_wins' })(ctx({}))).toBeNull();
  });

  it('prefers the entity\'s own entry to the one for all', () => {
    const conflicts = {
      strategy: 'most_recent',
      per_property_freshness: true,
      entities: { order: { strategy: 'target_wins' }, note: { strategy: 'source_wins' } },
    } as const;
    expect(compileConflicts('order', conflicts)(ctx({}))).toMatchObject({ strategy: 'target_wins', perProperty: true });
    expect(compileConflicts('note', conflicts)(ctx({}))).toBeNull();
    expect(compileConflicts('person', conflicts)(ctx({}))).toMatchObject({ strategy: 'most_recent' });
  });

  it.each([
    ['2026-02-01T10:00:00+01:00', '2026-02-01T09:00:00.000Z'],
    [1_767_225_600, '2026-01-01T00:00:00.000Z'],
    ['1767225600000', '2026-01-01T00:00:00.000Z'],
    ['yesterday', timestamp],
    [null, timestamp],
    [1e300, timestamp],
  ])('reads when the source changed its record: %p', (changed, modifiedAt) => {
    const of = compileConflicts('order', { strategy: 'most_recent', source_modified_path: '$.payload.changed' });
    expect(of(ctx({ changed }))).toMatchObject({ modifiedAt });
  });
});
