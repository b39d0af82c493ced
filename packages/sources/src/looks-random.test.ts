import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { looksRandom } from './looks-random';

test.each([
  'application/vnd.github.v3+json', 'text/html; charset=utf-8', 'sluice-sync/1.0 (+https://shop.example/bot)', '2026-01-05T10:00:00.000Z',
  'gzip, deflate, br', 'de-DE,de;q=0.9,en;q=0.8', 'myServiceClientVersionNumber', 'orders-2024-q3-germany-warehouse-12', 'return=representation',
  'max-age=31536000; includeSubDomains', '0123456789012345678901234567890', '',
])('%p is what a person writes', (text) => expect(looksRandom(text)).toBe(false));

test('keys and tokens look random, whatever stands around them', () => {
  const hex = Array.from({ length: 50 }, (_, at) => createHash('sha256').update(String(at)).digest('hex'));
  const base64 = Array.from({ length: 50 }, () => randomBytes(48).toString('base64url'));
  const uuids = Array.from({ length: 50 }, () => randomUUID());
  const found = (texts: string[]): number => texts.filter(looksRandom).length;
  expect([found(hex), found(base64), found(uuids)].every((count) => count >= 48)).toBe(true);
  expect(looksRandom('key=sk_live_4eC39HqLyjWDarjtT1zdp7dc; v=1')).toBe(true);
});
