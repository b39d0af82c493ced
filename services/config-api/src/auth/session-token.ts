import { hkdfSync } from 'node:crypto';
import { keyringEntries } from '@sluice/service-kit';
import { JsonWebTokenError, sign, TokenExpiredError, verify } from 'jsonwebtoken';

const issuer = 'sluice';

export interface SessionClaims {
  sessionId: string;
  userId: string;
  /** The organization that was active when the token was issued. */
  organizationId: string | null;
}

export type SessionTokenRefusal = 'Invalid token' | 'Token missing required claims' | 'Invalid token claims';

/** Short-lived tokens of a session, checked without a read; only the store knows whether the session has ended. */
export interface SessionTokens {
  issue(claims: SessionClaims): { token: string; expiresInS: number };
  read(token: string): { ok: true; claims: SessionClaims } | { ok: false; detail: SessionTokenRefusal };
}

/**
 * @param encryptionKeys the SLUICE_ENCRYPTION_KEYS setting: signing keys are derived from its keys, the first signs and all
 * verify, so that replacing a key ends no session
 * @param ttlMs life of a token
 */
export function createSessionTokens(encryptionKeys: string, ttlMs: number): SessionTokens {
  const secrets = keyringEntries(encryptionKeys).map(({ text }) =>
    Buffer.from(hkdfSync('sha256', text, 'sluice', 'session tokens v1', 32)),
  );
  const expiresInS = Math.max(1, Math.round(ttlMs / 1000));
  return {
    issue: ({ sessionId, userId, organizationId }) => ({
      token: sign({ sid: sessionId, org: organizationId }, secrets[0]!, {
        algorithm: 'HS256',
        subject: userId,
        issuer,
        expiresIn: expiresInS,
      }),
      expiresInS,
    }),
    read: (token) => {
      const payload = verified(token, secrets);
      if (!payload) return { ok: false, detail: 'Invalid token' };
      const { sub, sid, org } = payload;
      if (sub === undefined || sid === undefined || org === undefined) return {
        ok: false, detail: 'Token missing required claims',
      };
      if (typeof sub !== 'string' || typeof sid !== 'string' || (org !== null && typeof org !== 'string'))
        return { ok: false, detail: 'Invalid token claims' };
      return { ok: true, claims: { userId: sub, sessionId: sid, organizationId: org } };
    },
  };
}

function verified(token: string, secrets: readonly Buffer[]): Record<string, unknown> | null {
  for (const secret of secrets) {
    try {
      const payload = verify(token, secret, { algorithms: ['HS256'], issuer });
      return typeof payload === 'object' ? payload : null;
    } catch (error) {
      // Expired is final; another signature may be that of an older key.
      if (error instanceof TokenExpiredError) return null;
      if (!(error instanceof JsonWebTokenError)) throw error;
    }
  }
  return null;
}
