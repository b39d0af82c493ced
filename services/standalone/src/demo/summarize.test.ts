import type { FinishedEvent } from './await-outcomes';
import { byType, reasons } from './summarize';

function ended(type: string, status: FinishedEvent['answer']['status'], error: string | null = null, hint: string | null = null): FinishedEvent {
  const entities = error === null ? [] : [{ entity_name: null, external_id: null, action: null, status: 'failed', error, crm_id: null }];
  return { id: `evt_${type}`, event: { key: 'k', body: { event: type, recordKey: 'R1', timestamp: '' } }, answer: { status, entities, hint } };
}

it('counts events by type and status', () => {
  expect(byType([ended('a', 'completed'), ended('b', 'failed'), ended('a', 'failed'), ended('a', 'completed')])).toEqual([
    { type: 'a', statuses: { completed: 2, failed: 1 }, total: 3 }, { type: 'b', statuses: { failed: 1 }, total: 1 },
  ]);
});

it('groups what did not complete by its reason, most frequent first', () => {
  const found = reasons([ended('a', 'completed'), ended('a', 'failed', 'no email'), ended('b', 'skipped', null, 'nobody subscribed'), ended('c', 'failed', 'no email'), ended('c', 'skipped'), ended('c', 'processing')]);
  expect(found.map(({ status, reason, count }) => [status, reason, count])).toEqual([
    ['failed', 'no email', 2], ['skipped', 'nobody subscribed', 1], ['skipped', 'skipped by a step of the flow', 1], ['processing', 'not ended yet', 1],
  ]);
  expect(found[0]!.example).toEqual({ event_id: 'evt_a', record: 'R1' });
});
