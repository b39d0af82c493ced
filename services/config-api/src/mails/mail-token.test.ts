import { newToken, tokenHash } from './mail-token';

test('a token has 256 random bits, and a hash of its own for each purpose', () => {
  const tokens = Array.from({ length: 100 }, () => newToken('verify_email'));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(100);
  const [{ token, hash }] = tokens as [{ token: string; hash: string }];
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(hash).not.toContain(token);
  expect(tokenHash('verify_email', token)).toBe(hash);
  const purposes = ['verify_email', 'invitation', 'reset_password', 'change_email'] as const;
  expect(new Set(purposes.map((purpose) => tokenHash(purpose, token))).size).toBe(purposes.length);
});
