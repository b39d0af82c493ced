import { createHmac, hkdfSync } from 'node:crypto';
import { keyringEntries } from '@sluice/service-kit';
import { sameText } from '../../../auth/same-text';

/** The token that a page shows beside the refresh cookie. It belongs to one session and stays the same for its whole life. */
export interface CsrfTokens {
  of(sessionId: string): string;
  matches(sessionId: string, token: string): boolean;
}

/** @param encryptionKeys the SLUICE_ENCRYPTION_KEYS setting: the first key makes tokens, all check them */
export function createCsrfTokens(encryptionKeys: string): CsrfTokens {
  const secrets = keyringEntries(encryptionKeys).map(({ text }) =>
    Buffer.from(hkdfSync('sha256', text, 'sluice', 'csrf tokens v1', 32)));
  const by = (secret: Buffer, sessionId: string): string => createHmac('sha256', secret).update(sessionId).digest('base64url');
  return {
    of: (sessionId) => by(secrets[0]!, sessionId),
    matches: (sessionId, token) => secrets.some((secret) => sameText(by(secret, sessionId), token)),
  };
}
