import type { FinishedEvent } from './await-outcomes';
import { byType, reasons } from './summarize';

function ended(
  type: string,
  status: FinishedEvent['answer']['status'],
  error: string | null = null,
  hint: string | null = null,
  reason: string | null = null,
): FinishedEvent {
  const entities =
    error === null && reason === null
      ? []
      : [{ entity_name: null, external_id: null, action: null, status, error, reason, crm_id: null }];
  return {
    id: `evt_${type}`,
    event: { key: 'k', body: { event: type, recordKey: 'R1', timestamp: '' } },
    answer: { status, entities, hint },
  };
}

it('counts events by type and status', () => {
  expect(byType([ended('a', 'completed'), ended('b', 'failed'), ended('a', 'failed'), ended('a', 'completed')])).toEqual([
    { type: 'a', statuses: { completed: 2, failed: 1 }, total: 3 }, { type: 'b', statuses: { failed: 1 }, total: 1 },
  ]);
});

it('groups events that did not complete by their reason, most frequent first', () => {
  const found = reasons([
    ended('a', 'completed'),
    ended('a', 'failed', 'no email'),
    ended('b', 'skipped', null, 'nobody subscribed'),
    ended('c', 'failed', 'no email'),
    ended('c', 'skipped', null, null, 'a test order'),
    ended('c', 'processing'),
  ]);
  expect(found.map(({ status, reason, count }) => [status, reason, count])).toEqual([
    ['failed', 'no email', 2],
    ['skipped', 'nobody subscribed', 1],
    ['skipped', 'a test order', 1],
    ['processing', 'not ended yet', 1],
  ]);
  expect(found[0]!.example).toEqual({ event_id: 'evt_a', record: 'R1' });
});
