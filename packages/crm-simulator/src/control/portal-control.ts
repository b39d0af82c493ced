import { answer, type Answer } from '../http/answer';
import type { PortalSettings } from '../state/portal-settings';
import { defaultPortalId, defaultSettings } from '../state/simulator-state';
import { BadInput, controlBody, type ControlBody } from './control-input';
import type { ControlCall, ControlRoute } from './control-call';

const settingFields = ['scopes', 'search_lag_ms', 'latency_ms', 'burst_per_10s', 'search_per_s', 'daily_limit', 'token_ttl_s'];

/** A limit of null turns it off; an absent one is not changed. */
function limit(body: ControlBody, given: unknown, field: string, before: number | undefined): number | undefined {
  const named = given as Record<string, unknown>;
  return field in named && named[field] === null ? undefined : (body.number(field, { min: 0 }) ?? before);
}

function readSettings(given: unknown, before: PortalSettings, more: readonly string[]): PortalSettings {
  const body = controlBody(given, [...settingFields, ...more]);
  return {
    scopes: body.strings('scopes') ?? before.scopes,
    searchLagMs: body.number('search_lag_ms', { min: 0 }) ?? before.searchLagMs,
    latencyMs: body.number('latency_ms', { min: 0, max: 600_000 }) ?? before.latencyMs,
    burstPer10s: limit(body, given, 'burst_per_10s', before.burstPer10s),
    searchPerS: limit(body, given, 'search_per_s', before.searchPerS),
    dailyLimit: limit(body, given, 'daily_limit', before.dailyLimit),
    tokenTtlS: body.number('token_ttl_s', { min: 0, integer: false }) ?? before.tokenTtlS,
  };
}

function reset({ sim }: ControlCall): Answer {
  sim.reset();
  return answer(200, {
    portal_id: defaultPortalId,
    access_token: `sim-access-${defaultPortalId}`,
    refresh_token: `sim-refresh-${defaultPortalId}`,
  });
}

function createPortal({ sim, body }: ControlCall): Answer {
  const settings = readSettings(body, defaultSettings, ['portal_id']);
  const portalId = controlBody(body, [...settingFields, 'portal_id']).portalId() ?? sim.freePortalId();
  if (sim.portals.has(portalId)) throw new BadInput('portal_id', `${portalId} exists already`);
  const made = sim.addPortal(portalId, settings);
  return answer(200, { portal_id: portalId, access_token: made.accessToken, refresh_token: made.refreshToken });
}

function changePortal({ sim, body, params }: ControlCall): Answer {
  const portal = sim.portals.get(Number(params['portal_id']));
  if (!portal) return answer(404, { message: `no portal ${params['portal_id']}`, field: 'portal_id' });
  portal.settings = readSettings(body, portal.settings, []);
  const { scopes, searchLagMs, latencyMs, burstPer10s, searchPerS, dailyLimit, tokenTtlS } = portal.settings;
  return answer(200, {
    portal_id: portal.portalId, scopes, search_lag_ms: searchLagMs, latency_ms: latencyMs, burst_per_10s: burstPer10s ?? null,
    search_per_s: searchPerS ?? null, daily_limit: dailyLimit ?? null, token_ttl_s: tokenTtlS,
    access_token: `sim-access-${portal.portalId}`, refresh_token: sim.tokens.refreshTokenOf(portal.portalId),
  });
}

/** The routes for reset and portals (docs/reference/crm-simulator.md, Portals). */
export const portalControl: readonly ControlRoute[] = [
  { method: 'POST', path: '/_sim/reset', handle: reset },
  { method: 'POST', path: '/_sim/portals', handle: createPortal },
  { method: 'PATCH', path: '/_sim/portals/:portal_id', handle: changePortal },
];
