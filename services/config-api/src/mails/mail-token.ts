import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@sluice/service-kit';

/** What a token is good for. Its hash is made with it: the same token for another purpose is unknown. */
export type TokenPurpose = 'verify_email' | 'invitation' | 'reset_password' | 'change_email' | 'second_factor' | 'crm_install';

/** A token of 256 random bits, as it goes into a link, and what is stored of it. */
export interface NewToken {
  token: string;
  hash: string;
}

export function newToken(purpose: TokenPurpose): NewToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: tokenHash(purpose, token) };
}

export const tokenHash = (purpose: TokenPurpose, token: string): string => sha256Hex(`${purpose}:${token}`);
