import { createHash } from 'node:crypto';
import { looksRandom } from './looks-random';

test.each([
  'application/vnd.github.v3+json', 'text/html; charset=utf-8', 'sluice-sync/1.0 (+https://shop.example/bot)',
  '2026-01-05T10:00:00.000Z', 'gzip, deflate, br', 'de-DE,de;q=0.9,en;q=0.8', 'myServiceClientVersionNumber',
  'orders-2024-q3-germany-warehouse-12', 'return=representation', 'max-age=31536000; includeSubDomains', '0123456789012345678901234567890', '',
])('%p is what a person writes', (text) => expect(looksRandom(text)).toBe(false));

test('nearly all keys and tokens look random, whatever stands around them', () => {
  const digests = Array.from({ length: 1_000 }, (_, at) => createHash('sha256').update(String(at)).digest());
  const hex = digests.map((digest) => digest.toString('hex'));
  const uuids = hex.map((text) => text.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  const base64 = digests.map((digest) => digest.toString('base64'));
  const found = (texts: string[]): number => texts.filter(looksRandom).length;
  for (const texts of [hex, uuids, base64]) expect(found(texts)).toBeGreaterThan(900);
  expect(looksRandom('key=sk_live_4eC39HqLyjWDarjtT1zdp7dc; v=1')).toBe(true);
});
