import type { CrmClient, CrmResult } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';

/** Milliseconds the CRM has to answer a token request. */
const timeoutMs = 10_000;

/** What an install gives, as far as it is kept. */
export interface InstallTokens {
  tokens: { access_token: string; refresh_token: string };
  portalId: string;
  scopes: string[];
  tokenExpiresAt: Date | null;
}

/**
 * Exchanges the code of an install, and asks the CRM whose tokens they are.
 * @throws HttpError 400 `crm_install_failed` when the CRM refuses the code, 502 `crm_unavailable` when it does not answer
 */
export async function installTokens(
  crm: Pick<CrmClient, 'exchangeCode' | 'introspect'>,
  install: { code: string; redirectUri: string },
): Promise<InstallTokens> {
  const { accessToken, refreshToken } = answerOf(await crm.exchangeCode(install, { timeoutMs }));
  const { portalId, scopes, expiresInS } = answerOf(await crm.introspect(accessToken, { timeoutMs }));
  return {
    tokens: { access_token: accessToken, refresh_token: refreshToken }, portalId, scopes,
    tokenExpiresAt: expiresInS === null ? null : new Date(Date.now() + expiresInS * 1_000),
  };
}

function answerOf<T>(result: CrmResult<T>): T {
  if (result.ok) return result.value;
  throw apiError(result.kind === 'transient' ? 'crm_unavailable' : 'crm_install_failed');
}
