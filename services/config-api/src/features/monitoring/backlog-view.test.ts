import { backlogView } from './backlog-view';

const minuteMs = 60_000;
const now = Date.UTC(2026, 10, 25, 12);

function viewOf(waits: { held?: number; inLog?: number; ageMs?: number }, finished: number, windowMs = 15 * minuteMs) {
  const { held = 0, inLog = 0, ageMs } = waits;
  const oldestAcceptedAt = ageMs === undefined ? null : new Date(now - ageMs);
  return backlogView({ waiting: { held, inLog, oldestAcceptedAt }, finished, windowMs, congestedMs: 5 * minuteMs, now });
}

it.each([
  ['empty: nothing waits', {}, 0, 'empty'],
  ['flowing: the oldest is young', { inLog: 3, ageMs: 5 * minuteMs - 1 }, 0, 'flowing'],
  ['congested: the oldest has waited for five minutes, records finish', { inLog: 3, ageMs: 5 * minuteMs }, 1, 'congested'],
  ['congested: none has finished, and the oldest has not waited for the whole window', { held: 3, ageMs: 15 * minuteMs - 1 }, 0,
    'congested'],
  ['congested: an old one waits while others finish', { held: 1, ageMs: 900 * minuteMs }, 1, 'congested'],
  ['stalled: the oldest has waited for the whole window and none has finished', { held: 1, ageMs: 15 * minuteMs }, 0, 'stalled'],
])('%s', (_, waits, finished, state) => {
  expect(viewOf(waits, finished).state).toBe(state);
});

it('estimates the wait from what finished, only when congested', () => {
  expect(viewOf({ held: 900, ageMs: 6 * minuteMs }, 450)).toMatchObject({ state: 'congested', estimated_wait_seconds: 1_800 });
  expect(viewOf({ held: 900, ageMs: minuteMs }, 450)).not.toHaveProperty('estimated_wait_seconds');
});

it('tells what waits where, and for how long', () => {
  expect(viewOf({ held: 2, inLog: 1, ageMs: 61_500 }, 4)).toEqual({
    state: 'flowing', summary: '3 records wait, the oldest for 61 s.', pending_count: 3, pending_by_status: { processing: 1,
      pending: 2 },
    oldest_pending_at: '2026-11-25T11:58:58.500Z', oldest_pending_age_seconds: 61, finished_recently: 4,
    throughput_window_seconds: 900, generated_at: '2026-11-25T12:00:00.000Z',
  });
});

it.each([
  [15 * minuteMs, '1 record waits, the oldest for 900 s; none has finished in 15 minutes.'],
  [5_000, '1 record waits, the oldest for 900 s; none has finished in 5 s.'],
])('names the window of %d ms in which nothing has finished', (windowMs, summary) => {
  expect(viewOf({ held: 1, ageMs: 15 * minuteMs }, 0, windowMs)).toMatchObject({ state: 'stalled', summary });
});
