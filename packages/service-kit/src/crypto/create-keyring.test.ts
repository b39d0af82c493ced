import { createKeyring, generateKeyringSetting, keyringEntries, KeyringError } from './create-keyring';
import { sha256Hex } from './sha256-hex';

const old = generateKeyringSetting('old');
const young = generateKeyringSetting('young');

test('opens what it sealed, and seals twice differently', () => {
  const keyring = createKeyring(old);
  const sealed = keyring.encrypt('tökén', 'credential:1');
  expect(sealed).toMatch(/^v1\.old\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
  expect(keyring.decrypt(sealed, 'credential:1')).toBe('tökén');
  expect(keyring.encrypt('tökén', 'credential:1')).not.toBe(sealed);
  expect(keyring.decrypt(keyring.encrypt('', 'c'), 'c')).toBe('');
});

test('a new key in front encrypts, the old one still opens; without it, nothing does', () => {
  const sealed = createKeyring(old).encrypt('x', 'c');
  const both = createKeyring(`${young}, ${old}`);
  expect(both.decrypt(sealed, 'c')).toBe('x');
  expect(both.encrypt('x', 'c')).toContain('v1.young.');
  expect(() => createKeyring(young).decrypt(sealed, 'c')).toThrow('key "old", which is not among');
});

test('a text of another context or with one bit changed does not open', () => {
  const keyring = createKeyring(old);
  const sealed = keyring.encrypt('x'.repeat(50), 'credential:1');
  expect(() => keyring.decrypt(sealed, 'credential:2')).toThrow(KeyringError);
  const parts = sealed.split('.');
  for (const part of [2, 3, 4]) {
    const bytes = Buffer.from(parts[part] ?? '', 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(() => keyring.decrypt(parts.with(part, bytes.toString('base64url')).join('.'), 'credential:1')).toThrow(
      'does not open',
    );
  }
  // GCM in Node takes shorter tags unless told otherwise: a tag of 4 bytes could be guessed.
  expect(() => keyring.decrypt(parts.with(4, (parts[4] ?? '').slice(0, 8)).join('.'), 'credential:1')).toThrow(
    'not a sealed text',
  );
});

test.each(['', 'k1', 'k1:', `k1:${'A'.repeat(10)}`, `k 1:${young.slice(6)}`, `${old},${old}`, `k1:${'!'.repeat(44)}`])(
  'refuses the setting %j without repeating it',
  (setting) => {
    expect(() => createKeyring(setting)).toThrow(/^encryption key \d/);
  },
);

test('hashes as everyone does', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('the keys of a setting come in its order, each as it is written, without blanks', () => {
  const [first, second] = [generateKeyringSetting('a'), generateKeyringSetting('b')];
  const entries = keyringEntries(` ${first} ,${second}`);
  expect(entries.map(({ id, text, key }) => [id, text, key.length])).toEqual([['a', first, 32], ['b', second, 32]]);
});
