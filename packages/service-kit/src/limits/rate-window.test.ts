import { countInWindow, scaledLimit } from './rate-window';

const full = (resetMs: number) => ({ slideWindow: async () => ({ allowed: false, remaining: 0, resetMs }) });
const headersOf = (work: Promise<void>) => work.then(() => null, ({ headers }: { headers: Record<string, string> }) => headers);

test('a limit is scaled, at least 1, and turned off at scale 0', () => {
  expect([scaledLimit(50, 1), scaledLimit(50, 0.1), scaledLimit(50, 0.000_1), scaledLimit(50, 0)]).toEqual([50, 5, 1, null]);
});

test('a full window is refused until it has room, and no longer than it lasts', async () => {
  expect(await headersOf(countInWindow(full(90_000), 'k', { limit: 3, windowMs: 3_600_000 }))).toMatchObject({
    'Retry-After': '90',
    'X-RateLimit-Limit': '3',
  });
  expect(await headersOf(countInWindow(full(1_001), 'k', { limit: 3, windowMs: 1_000 }))).toMatchObject({
    'Retry-After': '1',
    'X-RateLimit-Reset': '2',
  });
});

test('a window with room takes one', async () => {
  const asked: unknown[] = [];
  const limits = { slideWindow: async (...given: unknown[]) => (asked.push(given), { allowed: true, remaining: 2, resetMs: 1 }) };
  await countInWindow(limits, 'k', { limit: 3, windowMs: 1_000 });
  expect(asked).toEqual([['k', { limit: 3, windowMs: 1_000 }]]);
});
