import { answer, noContent, type Answer } from '../http/answer';
import { notFound, problemAnswer, refuse, invalid } from '../http/refusal';
import { formBody, isObject, jsonBody } from '../http/request-body';
import type { Call, OpenRoute } from '../http/route';
import { secondsLeft } from '../http/resolve-token';

type Era = 'v1' | 'v3';

const hubDomain = (portalId: number): string => `portal-${portalId}.example.com`;

/** A refused token request; the newer endpoints also name the OAuth error. */
const badGrant = (era: Era, status: string, message: string, error: string): Answer =>
  problemAnswer({ status: 400, message, extra: { status, ...(era === 'v3' ? { error, error_description: message } : {}) } });

/** Checks the app's credentials; undefined when they are valid. */
function badClient(call: Call, form: URLSearchParams, era: Era): Answer | undefined {
  const { clientId, clientSecret } = call.sim.options;
  const given = form.get('client_id');
  if (!given || (clientId !== undefined && given !== clientId))
    return badGrant(era, 'BAD_CLIENT_ID', 'missing or unknown client id', 'invalid_client');
  const secret = form.get('client_secret');
  if (!secret || (clientSecret !== undefined && secret !== clientSecret))
    return badGrant(era, 'BAD_CLIENT_SECRET', 'missing or invalid client secret', 'invalid_client');
  return undefined;
}

/** A token pair for a portal; newer endpoints add the portal's facts. */
function grantPortal(call: Call, portalId: number, refreshToken: string, era: Era): Answer {
  const portal = call.sim.portals.get(portalId);
  if (!portal) return badGrant(era, 'BAD_HUB', 'unknown hub', 'invalid_grant');
  const issued = call.sim.tokens.issue(portalId, call.sim.now());
  const more =
    era === 'v3'
      ? { token_use: 'access_token', hub_id: portalId, user_id: portal.owners[0]?.userId, scopes: portal.settings.scopes }
      : {};
  return answer(200, {
    token_type: 'bearer',
    access_token: issued.token,
    refresh_token: refreshToken,
    expires_in: portal.settings.tokenTtlS,
    ...more,
  });
}

function token(era: Era): (call: Call) => Answer {
  return (call) => {
    const form = formBody(call.rawBody);
    const bad = badClient(call, form, era);
    if (bad) return bad;
    switch (form.get('grant_type')) {
      case 'refresh_token': {
        const held = call.sim.tokens.refresh(form.get('refresh_token') ?? '');
        return held
          ? grantPortal(call, held.portalId, held.token, era)
          : badGrant(era, 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token', 'invalid_grant');
      }
      case 'authorization_code': {
        if (!form.get('redirect_uri'))
          return badGrant(era, 'BAD_REDIRECT_URI', 'missing or invalid redirect uri', 'invalid_grant');
        const portalId = call.sim.tokens.redeemCode(form.get('code') ?? '');
        if (portalId === undefined || !call.sim.portals.has(portalId))
          return badGrant(era, 'BAD_AUTH_CODE', 'missing or invalid auth code', 'invalid_grant');
        return grantPortal(call, portalId, call.sim.tokens.refreshTokenOf(portalId), era);
      }
      case 'client_credentials': {
        if (era === 'v1') break;
        const scopes = (form.get('scope') ?? '').split(/\s+/).filter((scope) => scope !== '');
        const issued = call.sim.tokens.issue(0, call.sim.now(), scopes);
        return answer(200, {
          token_type: 'bearer',
          access_token: issued.token,
          expires_in: 1_800,
          token_use: 'access_token',
          scopes,
        });
      }
      default:
    }
    return badGrant(era, 'BAD_GRANT_TYPE', 'missing or unknown grant type', 'unsupported_grant_type');
  };
}

function describeAccess(call: Call, text: string): Record<string, unknown> | undefined {
  const issued = call.sim.tokens.access(text);
  const portal = issued && call.sim.portals.get(issued.portalId);
  if (!issued || secondsLeft(call.sim, issued) <= 0) return undefined;
  const left = Math.max(0, Math.floor(secondsLeft(call.sim, issued)));
  if (!portal) return { token: text, app_id: 1, expires_in: left, scopes: issued.scopes ?? [], token_type: 'access' };
  const owner = portal.owners[0];
  return {
    token: text,
    user: owner?.email,
    hub_domain: hubDomain(portal.portalId),
    scopes: portal.settings.scopes,
    hub_id: portal.portalId,
    app_id: 1,
    expires_in: left,
    user_id: owner?.userId,
    token_type: 'access',
    is_private_distribution: false,
  };
}

function describeRefresh(call: Call, text: string): Record<string, unknown> | undefined {
  const held = call.sim.tokens.refresh(text);
  const portal = held && call.sim.portals.get(held.portalId);
  if (!portal) return undefined;
  const owner = portal.owners[0];
  return {
    token: text,
    client_id: call.sim.options.clientId ?? 'sim-client',
    user: owner?.email,
    hub_domain: hubDomain(portal.portalId),
    hub_id: portal.portalId,
    scopes: portal.settings.scopes,
    user_id: owner?.userId,
    token_type: 'refresh',
  };
}

function introspect(call: Call): Answer {
  const form = formBody(call.rawBody);
  const bad = badClient(call, form, 'v3');
  if (bad) return bad;
  const text = form.get('token') ?? '';
  const access = describeAccess(call, text);
  const found = access ?? describeRefresh(call, text);
  if (!found) return answer(200, { active: false });
  return answer(200, {
    active: true,
    token_use: access ? 'access_token' : 'refresh_token',
    client_id: form.get('client_id'),
    app_id: 1,
    ...found,
  });
}

function revoke(call: Call): Answer {
  const form = formBody(call.rawBody);
  const bad = badClient(call, form, 'v3');
  if (bad) return bad;
  const text = form.get('token') ?? '';
  if (!call.sim.tokens.revokeRefresh(text)) call.sim.tokens.revokeAccess(text);
  return noContent;
}

function privateApp(call: Call): Answer {
  const body = jsonBody(call.rawBody, ['tokenKey']);
  const found = isObject(body) && typeof body['tokenKey'] === 'string' ? describeAccess(call, body['tokenKey']) : undefined;
  if (!found) return refuse(invalid('The token is not valid'));
  return answer(200, { userId: found['user_id'], hubId: found['hub_id'], appId: found['app_id'], scopes: found['scopes'] });
}

/** Token requests, introspection and revocation of all eras (docs/reference/crm-api.md, Tokens). */
export const oauthRoutes: readonly OpenRoute[] = [
  { method: 'POST', path: '/oauth-v1/token', auth: 'none', handle: token('v1') },
  { method: 'POST', path: '/oauth-v3/token', auth: 'none', handle: token('v3') },
  { method: 'POST', path: '/oauth-v3/token/introspect', auth: 'none', handle: introspect },
  { method: 'POST', path: '/oauth-v3/token/revoke', auth: 'none', handle: revoke },
  { method: 'POST', path: '/private-apps/get/access-token-info', auth: 'none', handle: privateApp },
  {
    method: 'GET',
    path: '/oauth-v1/access-tokens/:token',
    auth: 'none',
    handle: (call) => answer(200, describeAccess(call, call.params['token']!) ?? refuse(notFound('access token not found'))),
  },
  {
    method: 'GET',
    path: '/oauth-v1/refresh-tokens/:token',
    auth: 'none',
    handle: (call) => answer(200, describeRefresh(call, call.params['token']!) ?? refuse(notFound('refresh token not found'))),
  },
  {
    method: 'DELETE',
    path: '/oauth-v1/refresh-tokens/:token',
    auth: 'none',
    handle: (call) =>
      call.sim.tokens.revokeRefresh(call.params['token']!) ? noContent : refuse(notFound('refresh token not found')),
  },
];
