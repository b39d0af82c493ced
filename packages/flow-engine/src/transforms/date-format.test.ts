import { DateTime } from 'luxon';
import { compileDateFormat } from './date-format';

const berlin = DateTime.fromISO('2026-07-01T10:05:09.120Z', { zone: 'Europe/Berlin' });
const utc = berlin.toUTC();

describe('a date format', () => {
  it.each([
    ['yyyy-MM-dd', '2026-07-01', '2026-07-01'],
    ['d.M.yy', '1.7.26', '1.7.26'],
    ['uuuu/MM', '2026/07', '2026/07'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2026-07-01T12:05:09+02:00', '2026-07-01T10:05:09Z'],
    ["yyyy-MM-dd'T'HH:mm:ssxxx", '2026-07-01T12:05:09+02:00', '2026-07-01T10:05:09+00:00'],
    ["yyyyMMdd'T'HHmmssXX", '20260701T120509+0200', '20260701T100509Z'],
    ['HH:mm Z', '12:05 +0200', '10:05 +0000'],
    ['HH:mm ZZZZZ', '12:05 +02:00', '10:05 Z'],
    ['HH:mm VV', '12:05 Europe/Berlin', '10:05 UTC'],
    ['h:mm a', '12:05 PM', '10:05 AM'],
    ['ss.S', '09.1', '09.1'],
    ['ss.SS', '09.12', '09.12'],
    ['ss.SSS', '09.120', '09.120'],
    ['ss.SSSSSS', '09.120000', '09.120000'],
    ['E, EEE, EEEE', 'Wed, Wed, Wednesday', 'Wed, Wed, Wednesday'],
    ['d MMM, d MMMM', '1 Jul, 1 July', '1 Jul, 1 July'],
    ["'Q'Q yyyy G", 'Q3 2026 AD', 'Q3 2026 AD'],
    ["h 'o''clock' ''yy", "12 o'clock '26", "10 o'clock '26"],
  ])('%s writes %s, and %s at UTC', (format, here, atUtc) => {
    const { write } = compileDateFormat(format);
    expect([write(berlin), write(utc)]).toEqual([here, atUtc]);
  });

  it.each([
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2026-07-01T12:05:09+02:00', '2026-07-01T10:05:09.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2026-07-01T10:05:09Z', '2026-07-01T10:05:09.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSSSSXX", '2026-07-01T12:05:09.120456+0200', '2026-07-01T10:05:09.120Z'],
    ['dd.MM.yyyy HH:mm', '01.07.2026 12:05', '2026-07-01T10:05:00.000Z'],
    ['dd.MM.yyyy HH:mm VV', '01.07.2026 12:05 America/New_York', '2026-07-01T16:05:00.000Z'],
    ["d MMM ''yy", "1 Jul '26", '2026-06-30T22:00:00.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ssxxx", '2026-07-01T10:05:09Z', undefined],
    ['yyyy-MM-dd', '01.07.2026', undefined],
  ])('%s reads %s as %s', (format, text, expected) => {
    expect(compileDateFormat(format).read(text, 'Europe/Berlin')?.toUTC().toISO()).toBe(expected);
  });

  it.each([
    ['YYYY-MM-dd', "'YYYY' is no token of a date format: the year of a date is yyyy"],
    ['yyyy-MM-DD', "'DD' is no token of a date format: the day of the month is dd"],
    ['yyyy-MM-ddTHH:mm', "'T' is no token of a date format: text stands in quotes, as in 'T'"],
    ['X', "'X' is no token of a date format"],
    ['yyyyy', "'yyyyy' is no token of a date format"],
    ["HH 'h", "'HH 'h': a quote is not closed"],
  ])('%s is refused', (format, message) => {
    expect(() => compileDateFormat(format)).toThrow(message);
  });
});
