import { retryAfterMs } from './retry-after';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['3', 3_000],
    ['0', 0],
    ['0.2', 200],
    ['soon', undefined],
    ['-4', 0],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['Thu Jan  1 00:00:07 2026', 7_000],
    ['2026-01-01T00:00:07', 7_000],
  ])('%s is %s ms', (header, expected) => {
    // A negative number of seconds is no time of its own; read as a date it lies in the past.
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
