import { createCsrfTokens } from './csrf-tokens';

const [k1, k2] = [`k1:${Buffer.alloc(32, 1).toString('base64')}`, `k2:${Buffer.alloc(32, 2).toString('base64')}`];

test('a token is good for its session alone, and survives a new key in front', () => {
  const [tokens, rotated] = [createCsrfTokens(k1), createCsrfTokens(`${k2},${k1}`)];
  const token = tokens.of('session 1');
  expect([tokens.matches('session 1', token), tokens.matches('session 2', token), tokens.matches('session 1', '')]).toEqual([
    true, false, false,
  ]);
  expect([rotated.matches('session 1', token), createCsrfTokens(k2).matches('session 1', token)]).toEqual([true, false]);
});
