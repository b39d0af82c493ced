import type { CallOptions, CrmClient, CrmResult } from '@sluice/ports';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import type { WireCall } from './wire-call';

interface WireToken {
  access_token?: string;
  refresh_token?: string;
  expires_in?: number;
}

interface WireIntrospection {
  hub_id?: number | string;
  scopes?: string[];
  expires_in?: number;
  app_id?: number | string;
}

/** A token that the CRM does not know is an error of the caller: permanent, with its own code. */
function refused<T>(answer: CrmResult<T>): CrmResult<T> {
  if (answer.ok || answer.kind === 'transient') return answer;
  return { ...answer, kind: 'permanent', code: 'crm_token_refused' };
}

/** OAuth v1 (docs/reference/crm-api.md, Tokens). Tokens never appear in messages: the path that carries one is not logged. */
export function createOauthCalls(
  call: WireCall,
  app: { clientId: string; clientSecret: string },
): Pick<CrmClient, 'exchangeCode' | 'introspect' | 'refreshToken'> {
  /** @param kept the refresh token to go on with where the CRM names no other */
  const tokens = async (
    grant: Record<string, string>, { secret, kept }: { secret: string; kept: string }, options: CallOptions,
  ) => {
    const form = { ...grant, client_id: app.clientId, client_secret: app.clientSecret };
    const answer = refused(await call<WireToken>({
      method: 'POST', path: crmPaths.token, form, secrets: [secret, app.clientSecret],
      readable: (token) => typeof token['access_token'] === 'string' && token['access_token'] !== '',
    }, options));
    return mapResult(answer, (token) => ({
      accessToken: token?.access_token ?? '', refreshToken: token?.refresh_token ?? kept, expiresInS: token?.expires_in ?? 1_800,
    }));
  };
  return {
    introspect: async (accessToken, options) => {
      const answer = refused(
        await call<WireIntrospection>(
          {
            method: 'GET',
            path: crmPaths.accessToken(accessToken),
            secrets: [accessToken],
            readable: (info) => 'hub_id' in info,
          },
          options,
        ),
      );
      return mapResult(answer, (info) => ({
        portalId: String(info?.hub_id ?? ''),
        scopes: info?.scopes ?? [],
        expiresInS: info?.expires_in ?? null,
        appId: info?.app_id === undefined ? null : String(info.app_id),
      }));
    },
    exchangeCode: ({ code, redirectUri }, options) =>
      tokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, { secret: code, kept: '' }, options),
    refreshToken: (refreshToken, options) => tokens(
      { grant_type: 'refresh_token', refresh_token: refreshToken }, { secret: refreshToken, kept: refreshToken }, options,
    ),
  };
}
