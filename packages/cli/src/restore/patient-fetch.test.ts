import { patientFetch } from './patient-fetch';

const answers = (...given: [status: number, retryAfter?: string][]): typeof globalThis.fetch => {
  const left = [...given];
  return async () => {
    const [status, retryAfter] = left.shift()!;
    return new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
  };
};

async function asked(...given: Parameters<typeof answers>): Promise<[status: number, waits: number[]]> {
  const waits: number[] = [];
  const fetch = patientFetch(answers(...given), async (ms) => void waits.push(ms));
  return [(await fetch('http://x.example')).status, waits];
}

test('waits as long as it is told while a request is not looked at', async () => {
  expect(await asked([429, '2'], [503], [503, '90'], [200])).toEqual([200, [2_000, 1_000, 30_000]]);
});

test('passes every other answer on at once', async () => {
  for (const status of [200, 401, 422, 500]) expect(await asked([status])).toEqual([status, []]);
});

test('gives up after ten requests', async () => {
  const [status, waits] = await asked(...Array.from({ length: 11 }, () => [429] as [number]));
  expect([status, waits.length]).toEqual([429, 9]);
});
