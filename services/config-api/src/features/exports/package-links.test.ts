import { generateKeyringSetting } from '@sluice/service-kit';
import { createPackageLinks, type LinkedPackage } from './package-links';

const linked: LinkedPackage = { organizationId: 'o', exportId: 'e', filename: 'a.zip' };
let now = 1_700_000_000_000;
const keys = generateKeyringSetting();
const links = createPackageLinks(keys, 300_000, () => now);
beforeEach(() => { now = 1_700_000_000_000; });

test('a link is good until its time is over', () => {
  const given = links.sign(linked);
  expect([links.ttlS, links.check(given, linked)]).toEqual([300, 'good']);
  now += 299_999;
  expect(links.check(given, linked)).toBe('good');
  now += 1;
  expect(links.check(given, linked)).toBe('expired');
});

test('a link that was changed in any way is none', () => {
  const given = links.sign(linked);
  const { expires, signature } = given;
  const changed: Record<string, unknown>[] = [
    {}, { expires }, { signature }, { ...given, more: '1' }, { ...given, expires: String(Number(expires) + 1) },
    { ...given, expires: ` ${expires}` }, { ...given, signature: `${signature}=` }, { ...given, signature: [signature] },
    { ...given, signature: signature.slice(0, -1) }, { ...given, signature: '' }, { expires: [expires], signature },
    ...[...signature].map((letter, at) => (
      { expires, signature: `${signature.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}` })),
  ];
  for (const one of changed) expect([one, links.check(one, linked)]).toEqual([one, 'invalid']);
});

test('a link is good for its package alone', () => {
  const given = links.sign(linked);
  for (const other of [{ organizationId: 'p' }, { exportId: 'f' }, { filename: 'b.zip' }])
    expect(links.check(given, { ...linked, ...other })).toBe('invalid');
});

test('a link outlives the rotation of its key, and no other key makes one', () => {
  const given = links.sign(linked);
  const rotated = createPackageLinks(`${generateKeyringSetting().replace(/^[^:]+/, 'new')},${keys}`, 300_000, () => now);
  expect([rotated.check(given, linked), links.check(rotated.sign(linked), linked)]).toEqual(['good', 'invalid']);
});
