import { cancelVerdict, isEnded, jobStatuses } from './jobs';

const statuses = [...new Set(Object.values(jobStatuses).flat())];

test.each([
  ['queued', false, 'cancel'], ['running', false, 'cancel'], ['held', false, 'cancel'], ['completed', true, 'ended'],
  ['completed_with_errors', true, 'ended'], ['failed', true, 'ended'], ['cancelled', true, 'already'],
] as const)('a job that is %s: ended %s, a cancel means %s', (status, ended, verdict) => {
  expect([isEnded(status), cancelVerdict(status)]).toEqual([ended, verdict]);
});

test('every status of every kind is one of those', () => {
  expect(statuses.sort()).toEqual(
    ['cancelled', 'completed', 'completed_with_errors', 'failed', 'held', 'queued', 'running'],
  );
});
