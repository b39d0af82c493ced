import type { RecordRow } from '@sluice/ports';
import { aRow } from '@sluice/ports/testing';
import { lastRuns } from './last-runs';

const rowOf = (id: string, more: Partial<RecordRow> = {}, run = 'first', entityIndex = 0): RecordRow =>
  aRow({ eventId: 'evt_1', entityIndex, run }, { id, ...more });
const skipped = { status: 'skipped', reason: 'already_exists', action: 'create_many', entityName: 'contact' } as const;

describe('the units of an event that ran', () => {
  it('come from their own row, which has the traces of all steps', () => {
    const own = rowOf('b');
    expect(lastRuns([rowOf('a', { item: 'all/0' }), own, rowOf('c', { item: 'all/1' })])).toEqual([{ row: own, skipped: {} }]);
  });

  it('come from the row of their first item when they have no row of their own, with the items that were skipped', () => {
    const first = rowOf('a0', { item: 'all/0' });
    const last = rowOf('a2', { item: 'all/2', ...skipped, externalId: 'C-2', crmId: '7' });
    const rows = [last, first, rowOf('a1', { item: 'all/1' })];
    const item = { index: 2, key: 'C-2', entity: 'contact', external_id: 'C-2', crm_id: '7', failure: null };
    expect(lastRuns(rows)).toEqual([
      {
        row: first,
        skipped: { all: { place: 0, action: 'create_many', items: [{ ...item, status: 'skipped', reason: 'already_exists' }] } },
      },
    ]);
  });

  it('are those of the last run, one for each entity', () => {
    const rows = [
      rowOf('a', { completedAt: '2026-01-01T00:00:02.000Z' }, 'again'),
      rowOf('b', { completedAt: '2026-01-01T00:00:01.000Z' }),
      rowOf('c', { completedAt: '2026-01-01T00:00:01.000Z' }, 'first', 1),
    ];
    expect(lastRuns(rows).map(({ row }) => row.id)).toEqual(['a', 'c']);
  });
});
