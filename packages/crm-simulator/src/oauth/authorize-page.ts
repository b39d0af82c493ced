import { randomBytes } from 'node:crypto';
import type { Answer } from '../http/answer';
import { invalid, refuse } from '../http/refusal';
import type { Call, OpenRoute } from '../http/route';

/** Portals that the page offers. */
const mostPortals = 100;

/**
 * The page on which a person installs the app in a portal (docs/reference/crm-api.md, Tokens): a link for each portal, and one
 * that declines. With `portal_id` the portal is taken at once.
 */
export const authorizePage: OpenRoute = { method: 'GET', path: '/oauth/authorize', auth: 'none', handle: authorize };

function authorize(call: Call): Answer {
  const { query, sim } = call;
  const [clientId, redirectUri] = [query.get('client_id'), query.get('redirect_uri') ?? ''];
  if (!clientId || (sim.options.clientId !== undefined && clientId !== sim.options.clientId))
    return refuse(invalid('missing or unknown client id'));
  if (!URL.canParse(redirectUri) || !/^https?:$/.test(new URL(redirectUri).protocol))
    return refuse(invalid('missing or invalid redirect uri'));
  const back = (facts: Record<string, string>): string => {
    const url = new URL(redirectUri);
    const state = query.get('state');
    for (const [name, value] of Object.entries({ ...facts, ...(state !== null && { state }) })) url.searchParams.set(name, value);
    return url.toString();
  };
  const install = (portalId: number): string => back({ code: `sim-code-${portalId}-${randomBytes(9).toString('hex')}` });
  const chosen = Number(query.get('portal_id'));
  if (sim.portals.has(chosen)) return { status: 302, headers: { Location: install(chosen) } };
  const portals = [...sim.portals.keys()].slice(0, mostPortals);
  const page = pageOf({
    links: portals.map((portalId) => [`Install in portal ${portalId}`, install(portalId)] as const),
    decline: back({ error: 'access_denied' }), scopes: (query.get('scope') ?? '').split(' ').filter(Boolean),
  });
  return { status: 200, bytes: Buffer.from(page), headers: { 'Content-Type': 'text/html;charset=utf-8' } };
}

interface Page {
  /** What each says, and where it leads. */
  links: readonly (readonly [string, string])[];
  decline: string;
  scopes: readonly string[];
}

function pageOf({ links, decline, scopes }: Page): string {
  const item = ([text, href]: readonly [string, string]): string => `<li><a href="${escaped(href)}">${escaped(text)}</a></li>`;
  return `<!doctype html><title>Install the app</title><h1>Install the app</h1>
<p>It asks for: ${scopes.length === 0 ? 'nothing by name' : scopes.map(escaped).join(', ')}</p>
<ul>${links.map(item).join('')}${item(['Decline', decline])}</ul>`;
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
