import { randomInt } from 'node:crypto';
import type { CodeHashes } from '../../auth/code-hashes';

const howMany = 10;
/** Without the letters and digits that people mix up. 31 characters: ten of them are 49 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const part = (): string => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');

/** What the codes of an account belong to, for their hashes. */
const owner = (userId: string): string => `recovery:${userId}`;

/** New codes, as they are shown once, and what is stored of them. */
export function newRecoveryCodes(codes: CodeHashes, userId: string): { shown: string[]; hashes: string[] } {
  const shown = Array.from({ length: howMany }, () => `${part()}-${part()}`);
  return { shown, hashes: shown.map((code) => codes.hash(owner(userId), plain(code))) };
}

/** What a code that somebody typed hashes to: the dash, spaces and capitals do not matter. */
export const recoveryHashes = (codes: CodeHashes, userId: string, code: string): string[] =>
  codes.candidates(owner(userId), plain(code));

const plain = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '');
