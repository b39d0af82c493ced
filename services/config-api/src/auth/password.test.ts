import { hashPassword, isTooShort, passwordMatches } from './password';

test('ten characters are enough, nine are not', () => {
  expect([isTooShort('123456789'), isTooShort('1234567890'), isTooShort('🔑'.repeat(9))]).toEqual([true, false, true]);
});

test('all of a long password counts, not its first 72 bytes', async () => {
  const hash = await hashPassword(`${'x'.repeat(100)}a`);
  expect(await passwordMatches(`${'x'.repeat(100)}a`, hash)).toBe(true);
  expect(await passwordMatches(`${'x'.repeat(100)}b`, hash)).toBe(false);
  expect(await passwordMatches('', null)).toBe(false);
});
