import { createMemoryKeyValue } from '@sluice/kv-memory';
import { HttpError } from '@sluice/service-kit';
import { createSignInThrottle, type SignInAttempt } from './sign-in-throttle';

function lab() {
  const clock = { now: 1_800_000_000_000 };
  const throttle = createSignInThrottle(createMemoryKeyValue({ now: () => clock.now }), () => clock.now);
  /** Seconds an attempt must wait, 0 when it may be made. */
  const wait = (attempt: SignInAttempt): Promise<number> => throttle.admit(attempt).then(() => 0, (error: unknown) => {
    if (!(error instanceof HttpError) || error.status !== 429) throw error;
    return Number(error.headers['Retry-After']);
  });
  const fail = async (attempt: SignInAttempt, times = 1): Promise<void> => {
    for (let count = 0; count < times; count += 1) await throttle.failed(attempt);
  };
  return { throttle, wait, fail, later: (ms: number) => void (clock.now += ms) };
}

const owner = { account: 'owner@shop.example', address: '192.0.2.1' };
const from = (address: string, account = owner.account): SignInAttempt => ({ account, address });

test('five failures are free, then each failure doubles the wait, up to a quarter of an hour', async () => {
  const { wait, fail, later } = lab();
  await fail(owner, 4);
  expect(await wait(owner)).toBe(0);
  const waits: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    await fail(owner);
    waits.push(await wait(owner));
    later(waits.at(-1)! * 1_000);
    expect(await wait(owner)).toBe(0);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
});

test('an account stays open to every other address after any number of failed attempts', async () => {
  const { wait, fail } = lab();
  await fail(owner, 10);
  expect(await wait(from('192.0.2.2'))).toBe(0);
  for (let host = 0; host < 60; host += 1) await fail(from(`198.51.100.${host}`));
  expect(await wait(from('192.0.2.2'))).toBe(0);
  // When many addresses fail for an account, it is probably being guessed: then each address has one free failure, not five.
  await fail(from('203.0.113.1'));
  expect(await wait(from('203.0.113.1'))).toBe(1);
  expect(await wait(from('203.0.113.2'))).toBe(0);
});

test('an address that tries many accounts waits, except for accounts that it has signed in to', async () => {
  const { throttle, wait, fail, later } = lab();
  const here = (account: string): SignInAttempt => from('192.0.2.1', account);
  await throttle.succeeded(owner);
  for (let account = 0; account < 20; account += 1) await fail(here(`user${account}@shop.example`));
  expect(await wait(here('another@shop.example'))).toBe(1);
  expect(await wait(from('192.0.2.2', 'another@shop.example'))).toBe(0);
  expect([await wait(owner), (await throttle.admit(owner)).known]).toEqual([0, true]);
  await fail(owner, 5);
  expect(await wait(owner)).toBe(1);
  later(60_001);
  expect(await wait(here('another@shop.example'))).toBe(0);
});

test('a success forgets the failures of the account at the address; time forgets them all', async () => {
  const { throttle, wait, fail, later } = lab();
  await fail(owner, 4);
  await throttle.succeeded(owner);
  await fail(owner, 4);
  expect(await wait(owner)).toBe(0);
  await fail(owner, 20);
  expect(await wait(owner)).toBe(900);
  later(3_600_001);
  await fail(owner, 4);
  expect(await wait(owner)).toBe(0);
});

test('all addresses of an IPv6 network of one customer are one', async () => {
  const { wait, fail } = lab();
  for (let host = 1; host <= 5; host += 1) await fail(from(`2001:db8:1:2::${host}`));
  expect(await wait(from('2001:db8:1:2::99'))).toBe(1);
  expect(await wait(from('2001:db8:1:3::99'))).toBe(0);
});

test('tells once when it begins to refuse: an account from an address, an address, an account under attack', async () => {
  const { throttle } = lab();
  const begins = async (attempts: SignInAttempt[]) => {
    const told: [number, string][] = [];
    for (const [at, attempt] of attempts.entries()) {
      const begin = await throttle.failed(attempt);
      if (begin) told.push([at + 1, begin]);
    }
    return told;
  };
  const times = <T,>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  expect(await begins(times(8, () => owner))).toEqual([[5, 'too_many_attempts']]);
  expect(await begins(times(22, (at) => from('203.0.113.9', `user${at}@shop.example`)))).toEqual([[20, 'too_many_attempts']]);
  const guessed = times(55, (at) => from(`198.51.100.${at}`, 'guessed@shop.example'));
  expect((await begins(guessed)).filter(([, begin]) => begin === 'account_under_attack')).toEqual([[51, 'account_under_attack']]);
});
