import type { CrmClient, CrmResult } from '@sluice/ports';
import { apiError, HttpError, validationEntry } from '@sluice/service-kit';

/** Milliseconds the CRM has to answer a token request. */
const timeoutMs = 10_000;

export interface ConnectedCrm {
  tokens: { access_token: string; refresh_token?: string };
  portalId: string;
  scopes: string[];
  tokenExpiresAt: Date | null;
}

/**
 * Asks the CRM which portal a token belongs to; a refresh token is exchanged first. Throws 422 when the CRM refuses
 * it and 502 when the CRM does not answer.
 */
export async function connectCrm(crm: CrmClient, data: { access_token?: string; refresh_token?: string }): Promise<ConnectedCrm> {
  const field = data.refresh_token === undefined ? 'access_token' : 'refresh_token';
  const tokens =
    data.refresh_token === undefined ? { access_token: data.access_token! } : await refreshed(crm, data.refresh_token);
  const { portalId, scopes, expiresInS } = answerOf(await crm.introspect(tokens.access_token, { timeoutMs }), field);
  return { tokens, portalId, scopes, tokenExpiresAt: expiresInS === null ? null : new Date(Date.now() + expiresInS * 1000) };
}

async function refreshed(crm: CrmClient, refreshToken: string) {
  const answer = answerOf(await crm.refreshToken(refreshToken, { timeoutMs }), 'refresh_token');
  return { access_token: answer.accessToken, refresh_token: answer.refreshToken };
}

function answerOf<T>(result: CrmResult<T>, field: string): T {
  if (result.ok) return result.value;
  if (result.kind === 'transient') throw apiError('crm_unavailable');
  throw new HttpError(422, [validationEntry('body', ['data', field], 'crm_token_refused', 'The CRM refuses this token', null)]);
}
