import { sign } from 'jsonwebtoken';
import { createSessionTokens } from './session-token';

const claims = { sessionId: 's', userId: 'u', organizationId: 'o' };
const [k1, k2] = [`k1:${Buffer.alloc(32, 1).toString('base64')}`, `k2:${Buffer.alloc(32, 2).toString('base64')}`];

test('a token tells what it was issued for', () => {
  const tokens = createSessionTokens(k1, 900_000);
  const { token, expiresInS } = tokens.issue(claims);
  expect([expiresInS, tokens.read(token)]).toEqual([900, { ok: true, claims }]);
});

test('survives a new key in front, not the removal of its own', () => {
  const { token } = createSessionTokens(k1, 900_000).issue(claims);
  expect(createSessionTokens(`${k2},${k1}`, 900_000).read(token)).toEqual({ ok: true, claims });
  expect(createSessionTokens(k2, 900_000).read(token)).toEqual({ ok: false, detail: 'Invalid token' });
});

test('an expired, unsigned or foreign token is invalid; one without claims says so', () => {
  const tokens = createSessionTokens(k1, 1_000);
  const { token } = tokens.issue(claims);
  const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2_000);
  expect(tokens.read(token)).toEqual({ ok: false, detail: 'Invalid token' });
  later.mockRestore();
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"u","sid":"s","org":"o","iss":"sluice"}').toString('base64url')}.`;
  for (const wrong of ['', 'a.b.c', unsigned, sign({ sid: 's', org: 'o' }, 'another key', { subject: 'u', issuer: 'sluice' })]) {
    expect(tokens.read(wrong)).toEqual({ ok: false, detail: 'Invalid token' });
  }
  const bare = createSessionTokens(k1, 1_000).issue({ ...claims, sessionId: undefined as never }).token;
  expect(tokens.read(bare)).toEqual({ ok: false, detail: 'Token missing required claims' });
});
