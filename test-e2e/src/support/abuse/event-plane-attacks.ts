import { gzipSync } from 'node:zlib';
import { type Attack, keyOf, many, times } from './attack';

const mebibyte = 1_048_576;
const events = (ingest: string): string => `${ingest}/api/v1/events`;
const names = (count: number): string => many(count, (index) => `"n${index}":1`).join(',');

/** A flood of bodies made beforehand: each of `bodies` in turn, `count` requests, `atOnce` at a time. */
function flood(
  name: string,
  answers: readonly number[],
  count: number,
  atOnce: number,
  bodies: () => readonly (string | Buffer)[],
  headers: Record<string, string> = {},
): Attack {
  return {
    name,
    answers,
    run: async ({ ingest, attacker }, tally) => {
      const made = bodies();
      await times(count, atOnce, (index) =>
        tally.ask(events(ingest), {
          method: 'POST',
          body: made[index % made.length] as string,
          headers: { ...keyOf(attacker), ...headers },
        }),
      );
    },
  };
}

const gzip = { 'content-encoding': 'gzip' };
const event = (data: string): string => `{"event":"order.placed","data":${data}}`;

const dates = [
  '+275760-09-13T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '9'.repeat(200_000),
  '0000-00-00T00:00:00Z',
  '2026-13-45T99:99:99Z',
  `2026-01-01T00:00:00.${'1'.repeat(100_000)}Z`,
];

export const eventPlaneAttacks: readonly Attack[] = [
  flood('refused events: not JSON, not an event', [400, 422, 429], 800, 20, () => ['{', '{}', '{"event":1}', '[]']),
  flood('10 MiB of unknown names', [413, 422, 429], 40, 4, () => [
    `{${names(900_000)}}`.slice(0, 10 * mebibyte - 20).replace(/,[^,]*$/, '}'),
  ]),
  flood(
    'gzip: 10 KB that unpack to 10 MiB',
    [413, 422, 429],
    60,
    6,
    () => [gzipSync(Buffer.alloc(10 * mebibyte - 10, 0x20)), gzipSync(`[${'0,'.repeat(5 * mebibyte - 10)}0]`)],
    gzip,
  ),
  flood('1,000,000 nested lists', [400, 413, 422, 429], 60, 6, () => [
    '['.repeat(1_000_000),
    event(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
  ]),
  flood('200 entities of 10 KB each', [202, 413, 422, 429], 6, 3, () => [
    JSON.stringify({
      event: 'x',
      entities: many(200, (index) => ({
        type: 'blob',
        externalObjectId: `b${index}`,
        properties: { text: 'x'.repeat(10_000) },
      })),
    }),
  ]),
  flood('date and time-zone bombs', [202, 422, 429], 120, 6, () =>
    dates.map((timestamp) => JSON.stringify({ event: 'order.placed', data: {}, timestamp })),
  ),
  flood('content codings that do not exist', [415, 429], 200, 10, () => [event('{}')], {
    'content-encoding': 'gzip, gzip, gzip, constructor',
  }),
  flood('names of prototypes', [202, 422, 429], 100, 10, () => [
    event('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    '{"__proto__":{"event":"x"},"event":"order.placed","data":{}}',
  ]),
  {
    name: 'status reads without end',
    answers: [404, 429],
    run: ({ ingest, attacker }, tally) =>
      times(1_000, 20, (index) => tally.ask(`${events(ingest)}/evt_${index}/status`, { headers: keyOf(attacker) })),
  },
  {
    name: 'keys that nobody has',
    answers: [401, 429],
    run: ({ ingest }, tally) =>
      times(500, 20, (index) =>
        tally.ask(events(ingest), { method: 'POST', body: '{}', headers: { 'x-api-key': `slk_${index}_${'k'.repeat(40)}` } }),
      ),
  },
];
