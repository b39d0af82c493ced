import type { NewMail } from './mail-store';

/**
 * A token that goes to an address by mail. What is stored is its hash, which is made for its purpose (a hash of another is
 * unknown).
 */
export interface NewMailToken {
  tokenHash: string;
  ttlMs: number;
  mail: NewMail;
}
