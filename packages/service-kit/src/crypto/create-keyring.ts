import type { Keyring } from '@sluice/ports';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const keyId = /^[A-Za-z0-9_-]{1,32}$/;

/** Thrown when a sealed text does not open: unknown key, other context, or changed. Never says which bytes. */
export class KeyringError extends Error {
  override name = 'KeyringError';
}

/**
 * A keyring of `SLUICE_ENCRYPTION_KEYS`: `id:base64key,...`; the first key encrypts, all decrypt, so a key is
 * replaced by putting the new one in front. AES-256-GCM, the context is authenticated with it.
 * Sealed form: `v1.<key id>.<iv>.<ciphertext>.<tag>`, the last three base64url.
 * @throws KeyringError that names what is wrong with the setting, never its keys
 */
export function createKeyring(setting: string): Keyring {
  return keyringOf(new Map(keyringEntries(setting).map(({ id, key }) => [id, key])));
}

/**
 * A keyring of keys that are derived from those of a setting (RFC 5869): what it seals opens with no other keyring of the same
 * setting, so that a service can get the derived keys alone.
 * @param purpose names what the keys are for, and their version
 */
export function createDerivedKeyring(setting: string, purpose: string): Keyring {
  return keyringOf(new Map(keyringEntries(setting).map(({ id, key }) => [id, derivedKey(key, purpose)])));
}

/** A key of 32 bytes for one purpose. */
export const derivedKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, keyBytes));

function keyringOf(keys: ReadonlyMap<string, Buffer>): Keyring {
  const [first] = keys;
  if (!first) throw new KeyringError('no encryption keys');
  return {
    encrypt: (plaintext, context) => seal(first[0], first[1], plaintext, context),
    decrypt: (sealed, context) => open(keys, sealed, context),
  };
}

/** A fresh setting with one key, for an installation that has none yet. */
export function generateKeyringSetting(id = 'k1'): string {
  return `${id}:${randomBytes(keyBytes).toString('base64')}`;
}

/** What is wrong with a setting of keys, in words that follow its name and repeat no key; null when nothing is. */
export function keyringProblem(setting: string): string | null {
  try {
    keyringEntries(setting);
    return null;
  } catch (error) {
    if (error instanceof KeyringError) return `must be a list of id:key: ${error.message}`;
    throw error;
  }
}

/** One key of the setting. */
export interface KeyringEntry {
  id: string;
  key: Buffer;
  /** `id:base64key` as it is written, without blanks around it. */
  text: string;
}

/**
 * The keys of a setting in its order. Whoever derives other secrets from them reads the setting here too.
 * @throws KeyringError that names what is wrong with the setting, never its keys
 */
export function keyringEntries(setting: string): KeyringEntry[] {
  const entries = new Map<string, KeyringEntry>();
  for (const [index, item] of setting.split(',').entries()) {
    const text = item.trim();
    const [id = '', ...rest] = text.split(':');
    const encoded = rest.join(':');
    const key = Buffer.from(encoded, 'base64');
    if (!keyId.test(id)) throw new KeyringError(`encryption key ${index + 1}: its id must be letters, digits, _ or -`);
    if (entries.has(id)) throw new KeyringError(`encryption key ${index + 1}: its id is used twice`);
    if (key.length !== keyBytes || !isBase64(encoded))
      throw new KeyringError(`encryption key ${index + 1}: needs ${keyBytes} bytes in base64`);
    entries.set(id, { id, key, text });
  }
  return [...entries.values()];
}

/** Node reads base64 leniently and skips what it does not know; a mistyped key must not become another key. */
const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);

function seal(id: string, key: Buffer, plaintext: string, context: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(additional(id, context));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return ['v1', id, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

function open(keys: ReadonlyMap<string, Buffer>, sealed: string, context: string): string {
  const [version, id = '', ...rest] = sealed.split('.');
  const [iv, text, tag] = rest.map((part) => Buffer.from(part, 'base64url'));
  if (version !== 'v1' || rest.length !== 3 || iv?.length !== ivBytes || tag?.length !== tagBytes || !text)
    throw new KeyringError('not a sealed text');
  const key = keys.get(id);
  if (!key) throw new KeyringError(`sealed with key "${id.slice(0, 32)}", which is not among the encryption keys`);
  try {
    const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      .setAAD(additional(id, context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new KeyringError('the sealed text does not open: other context, or changed', { cause });
  }
}

const additional = (id: string, context: string): Buffer => Buffer.from(`sluice.v1.${id}.${context}`, 'utf8');
