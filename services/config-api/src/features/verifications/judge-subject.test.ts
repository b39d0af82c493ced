import type { VerifiedRecord } from '@sluice/flow-run';
import type { VerificationSubject } from '@sluice/ports';
import { type ComparedRun, judgeSubject } from './judge-subject';

const subject = (more: Partial<VerificationSubject> = {}): VerificationSubject =>
  ({ n: 1, externalId: 'C-1', mapped: { crmId: '7', objectType: 'contacts' }, landed: [], accepted: false, ...more });
const record = (status: VerifiedRecord['status'], held: Record<string, boolean> = {}): VerifiedRecord => ({
  entity_name: 'customer', external_id: 'C-1', crm_id: '7', status, reason: null,
  properties: Object.entries(held).map(([name, match]) => ({ name, expected: 'a', actual: match ? 'a' : 'b', match })),
});
const run = (rowId: string, of: VerifiedRecord | null, deleted = false): ComparedRun => ({ rowId, deleted, record: of });
const words = (...given: Parameters<typeof judgeSubject>) => {
  const { status, properties, repairedBy } = judgeSubject(...given);
  return [status, properties.map(({ name }) => name), repairedBy];
};

test.each([
  ['mapped and in the CRM, but never written', subject(), true, 'not_verifiable'],
  ['mapped and gone from the CRM', subject(), false, 'missing'],
  ['never seen', subject({ mapped: null }), false, 'not_verifiable'],
  ['accepted without a record', subject({ mapped: null, accepted: true }), false, 'missing'],
] as const)('without a write: %s', (_name, of, exists, status) => {
  expect(words(of, [], exists)).toEqual([status, [], []]);
});

test('per property the newest run that wrote it says what is expected', () => {
  const runs = [run('c', record('match', { email: true })), run('b', record('mismatch', { email: false, name: true })),
    run('a', record('mismatch', { name: false, phone: false }))];
  expect(words(subject(), runs, true)).toEqual(['mismatched', ['phone'], ['a']]);
  expect(words(subject(), runs.slice(0, 2), true)).toEqual(['matched', [], []]);
});

test('what differs is repaired by the runs that wrote it, the oldest first', () => {
  const runs = [run('b', record('mismatch', { email: false })), run('a', record('mismatch', { name: false }))];
  expect(words(subject(), runs, true)).toEqual(['mismatched', ['email', 'name'], ['a', 'b']]);
  expect(judgeSubject(subject(), runs, true).properties[0]).toEqual({ name: 'email', expected: 'a', actual: 'b' });
});

test('nothing is expected when the newest run is not known, and nothing from before a deletion', () => {
  const older = run('a', record('mismatch', { name: false }));
  expect(words(subject(), [run('b', record('not_verifiable')), older], true)).toEqual(['not_verifiable', [], []]);
  expect(words(subject(), [run('b', null), older], true)).toEqual(['mismatched', ['name'], ['a']]);
  expect(words(subject(), [run('b', null)], true)).toEqual(['not_verifiable', [], []]);
  expect(words(subject(), [run('b', record('match', { email: true })), run('x', record('match'), true), older], true))
    .toEqual(['matched', [], []]);
});

test('a record that is gone is missing, one that should be gone is as it should be', () => {
  expect(words(subject(), [run('a', record('missing', { name: false }))], true)).toEqual(['missing', [], []]);
  expect(words(subject({ mapped: null }), [run('a', record('match'), true)], false)).toEqual(['matched', [], []]);
  expect(words(subject({ mapped: null }), [run('a', record('mismatch'), true)], false)).toEqual(['mismatched', [], ['a']]);
});
