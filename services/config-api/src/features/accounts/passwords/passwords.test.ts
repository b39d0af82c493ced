import { createPasswords } from './passwords';
import type { SignInAttempt, SignInThrottle } from './sign-in-throttle';

const owner = { account: 'owner@shop.example', address: '192.0.2.1' };

/** A throttle that allows everything and notes its calls. */
function openThrottle(): SignInThrottle & { told: string[] } {
  const told: string[] = [];
  return {
    told,
    admit: async () => ({ known: false }),
    failed: async ({ account }: SignInAttempt) => {
      told.push(`failed ${account}`);
      return 'too_many_attempts';
    },
    succeeded: async ({ account }) => void told.push(`succeeded ${account}`),
  };
}

test('all bytes of a long password count, not only the first 72; the throttle gets every result', async () => {
  const throttle = openThrottle();
  const passwords = createPasswords(throttle, 2);
  const user = { name: 'Ana', passwordHash: await passwords.hash(`${'x'.repeat(100)}a`, owner.address) };
  const check = (password: string, found: typeof user | null = user) =>
    passwords.check({ ...owner, password }, async () => found);
  expect(await check(`${'x'.repeat(100)}a`)).toBe(user);
  expect(await check(`${'x'.repeat(100)}b`)).toBeNull();
  expect(await check('', null)).toBeNull();
  expect(throttle.told).toEqual([`succeeded ${owner.account}`, `failed ${owner.account}`, `failed ${owner.account}`]);
});

test('the caller is told that the throttle begins to refuse, for an account that exists', async () => {
  const passwords = createPasswords(openThrottle(), 2);
  const user = { name: 'Ana', passwordHash: await passwords.hash('right', owner.address) };
  const told: unknown[] = [];
  const check = (password: string, found: typeof user | null) =>
    passwords.check({ ...owner, password }, async () => found, async ({ name }, begin) => void told.push([name, begin]));
  await check('wrong', user);
  await check('wrong', null);
  await check('right', user);
  expect(told).toEqual([['Ana', 'too_many_attempts']]);
});

test('the throttle is checked again after a wait for a slot', async () => {
  const throttle = openThrottle();
  const passwords = createPasswords({ ...throttle, admit: async () => {
    if (throttle.told.length >= 2) throw new Error('too many by now');
    return { known: false };
  } }, 1);
  let looked = 0;
  const answers = await Promise.allSettled(
    Array.from({ length: 6 }, () =>
      passwords.check({ ...owner, password: 'wrong' }, async () => {
        looked += 1;
        return null;
      }),
    ),
  );
  expect(looked).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected', 'rejected']);
});
