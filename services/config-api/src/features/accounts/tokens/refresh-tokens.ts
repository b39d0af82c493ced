import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type AccountStore, SingleFlight } from '@sluice/ports';
import { keyringEntries, sha256Hex } from '@sluice/service-kit';
import type { CsrfTokens } from './csrf-tokens';
import { refreshTtlMs } from './session-cookies';

/** A refresh token as it is handed out once, and what is stored of it. */
export interface RefreshToken {
  token: string;
  hash: string;
  expiresAt: Date;
}

type Exchange = Awaited<ReturnType<AccountStore['rotate']>>;

export interface RefreshTokens {
  /** The first token of a new session. */
  first(): RefreshToken;
  /**
   * Exchanges a token, for a request that brings the CSRF token of its session. Two requests with one token that are under way at
   * the same moment get the same successor.
   */
  exchange(cookies: { refreshToken: string; csrfToken: string }): Promise<{ exchange: Exchange; next: RefreshToken }>;
}

/**
 * A token's successor is derived from it and a secret of the installation, and so is the same for every request that brings the
 * token: two tabs of a browser may refresh at once. Only this installation can derive it.
 * @param encryptionKeys the SLUICE_ENCRYPTION_KEYS setting; of its keys the first counts
 */
export function createRefreshTokens(
  encryptionKeys: string,
  accounts: Pick<AccountStore, 'rotate'>,
  csrfTokens: Pick<CsrfTokens, 'matches'>,
): RefreshTokens {
  const [first] = keyringEntries(encryptionKeys);
  const secret = Buffer.from(hkdfSync('sha256', first!.text, 'sluice', 'refresh tokens v1', 32));
  /** Exchanges under way in this process: a request that arrives meanwhile counts as concurrent. */
  const underWay = new SingleFlight<Exchange>();
  const refreshToken = (token: string): RefreshToken => ({
    token,
    hash: sha256Hex(token),
    expiresAt: new Date(Date.now() + refreshTtlMs),
  });
  return {
    first: () => refreshToken(randomBytes(32).toString('base64url')),
    exchange: async ({ refreshToken: token, csrfToken }) => {
      const [tokenHash, next] = [sha256Hex(token), refreshToken(createHmac('sha256', secret).update(token).digest('base64url'))];
      const rotate = (): Promise<Exchange> => accounts.rotate({
        tokenHash, nextHash: next.hash, nextExpiresAt: next.expiresAt, isProven: (sessionId) => csrfTokens.matches(
          sessionId, csrfToken,
        ),
      });
      return { exchange: await underWay.run(`${tokenHash} ${csrfToken}`, rotate), next };
    },
  };
}
