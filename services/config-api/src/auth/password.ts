import { createHash } from 'node:crypto';
import { compare, hash } from 'bcrypt';

/** bcrypt's work factor: about a tenth of a second on one core. */
const rounds = 11;
const shortest = 10;

export const isTooShort = (password: string): boolean => [...password].length < shortest;

export const hashPassword = (password: string): Promise<string> => hash(digest(password), rounds);

/** A hash no password belongs to: an unknown address costs the same time as a wrong password. */
let nobody: Promise<string> | undefined;

/** @param passwordHash null for an unknown user: always false, after the time a comparison takes */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  const same = await compare(digest(password), passwordHash ?? (await (nobody ??= hash('', rounds))));
  return same && passwordHash !== null;
}

/** bcrypt reads 72 bytes and stops at a zero byte; passwords may be longer. */
const digest = (password: string): string => createHash('sha256').update(password, 'utf8').digest('base64');
