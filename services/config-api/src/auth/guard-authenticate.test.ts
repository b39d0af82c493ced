import { monotonicClock } from '@sluice/ports';
import { apiError, type CallContext, type HttpError } from '@sluice/service-kit';
import type { Request } from 'express';
import { createGuardAuthenticate } from './guard-authenticate';
import { createStrangerBudget } from './stranger-budget';

/** `right-...` tokens are right; every other one is unknown. */
function lab(scale = 1) {
  const clock = { now: 1_000_000 };
  const monotonicNow = monotonicClock(() => clock.now);
  const looked: string[] = [];
  const strangers = createStrangerBudget(scale, monotonicNow);
  const authenticate = createGuardAuthenticate({ strangers, scale, monotonicNow })(async (request, context) => {
    const token = request.headers.authorization?.split(' ')[1] ?? '';
    looked.push(token);
    await null;
    if (!token.startsWith('right')) throw apiError('Invalid token');
    context.principal = token;
    if (token.startsWith('right-refused')) throw apiError('owner_required');
    return token;
  });
  /** The status of a call; 200 when the caller is authenticated. */
  const call = async (token: string | undefined, address = '192.0.2.1'): Promise<number> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      await authenticate({ headers } as Request, { address } as CallContext);
      return 200;
    } catch (error) {
      return (error as HttpError).status;
    }
  };
  const statuses = async (calls: Promise<number>[]) => {
    const counts: Record<number, number> = {};
    for (const status of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  return { clock, looked, call, statuses };
}
const times = <T,>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test('made-up tokens of a network are looked up a hundred times, then twenty a second, also all at once', async () => {
  const { call, statuses, looked, clock } = lab();
  expect(await statuses(times(3_000, (at) => call(`made-up-${at}`)))).toEqual({ 401: 100, 429: 2_900 });
  expect(looked).toHaveLength(100);
  clock.now += 1_000;
  expect(await statuses(times(50, (at) => call(`later-${at}`)))).toEqual({ 401: 20, 429: 30 });
  expect(await call('made-up', '192.0.2.2')).toBe(401);
});

test('whoever shares the network with a sender of made-up tokens and was right lately is not refused', async () => {
  const { call, statuses, clock } = lab();
  expect([await call('right-1'), await call('right-refused')]).toEqual([200, 403]);
  await statuses(times(200, (at) => call(`made-up-${at}`)));
  expect([await call('right-1'), await call('right-refused'), await call('right-2')]).toEqual([200, 403, 429]);
  clock.now += 61_000;
  await statuses(times(200, (at) => call(`more-${at}`)));
  expect(await call('right-1')).toBe(429);
});

test('right tokens use up no attempts of their network', async () => {
  const { call, statuses } = lab();
  expect(await statuses(times(500, (at) => call(`right-${at}`)))).toEqual({ 200: 100, 429: 400 });
  expect(await statuses(times(100, (at) => call(`right-again-${at}`)))).toEqual({ 200: 100 });
  expect(await call('made-up')).toBe(401);
});

test('a token is counted before it is looked up, for itself', async () => {
  const { call, statuses, looked, clock } = lab();
  expect(await statuses(times(80, () => call('right-busy')))).toEqual({ 200: 50, 429: 30 });
  expect(looked).toHaveLength(50);
  expect(await call('right-other')).toBe(200);
  clock.now += 1_000;
  expect(await statuses(times(80, () => call('right-busy')))).toEqual({ 200: 50, 429: 30 });
});

test('a call without a token is no attempt', async () => {
  const { call, statuses } = lab();
  expect(await statuses(times(200, () => call(undefined)))).toEqual({ 401: 200 });
  expect(await call('made-up')).toBe(401);
});

test('nothing is limited where limits are turned off', async () => {
  const { call, statuses } = lab(0);
  expect(await statuses(times(300, (at) => call(`made-up-${at}`)))).toEqual({ 401: 300 });
});
