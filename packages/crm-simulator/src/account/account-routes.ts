import { answer, noContent, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import { boolParam, intParam } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { Owner } from '../state/owner';

const showOwner = (owner: Owner): Record<string, unknown> => ({
  id: owner.id,
  email: owner.email,
  type: 'PERSON',
  firstName: owner.firstName,
  lastName: owner.lastName,
  userId: owner.userId,
  userIdIncludingInactive: owner.userId,
  createdAt: new Date(owner.createdAt).toISOString(),
  updatedAt: new Date(owner.createdAt).toISOString(),
  archived: owner.archived,
  teams: [],
});

function listOwners(call: PortalCall): Answer {
  const email = call.query.get('email');
  const archived = boolParam(call.query, 'archived');
  const limit = intParam(call.query, 'limit', 100, 1, 500);
  const after = Number(call.query.get('after') ?? 0);
  const fitting = call.portal.owners.filter(
    (owner) => owner.archived === archived && (!email || owner.email === email.toLowerCase()) && Number(owner.id) > after,
  );
  const results = fitting.slice(0, limit);
  const paging = fitting.length > limit ? { paging: { next: { after: results[limit - 1]!.id } } } : {};
  return answer(200, { results: results.map(showOwner), ...paging });
}

function readOwner(call: PortalCall): Answer {
  const byUser = call.query.get('idProperty') === 'userId';
  const id = call.params['id']!;
  return answer(
    200,
    showOwner(call.portal.owners.find((owner) => (byUser ? String(owner.userId) : owner.id) === id) ?? refuse(notFound())),
  );
}

function details(call: PortalCall): Answer {
  return answer(200, {
    portalId: call.portal.portalId,
    accountType: 'STANDARD',
    timeZone: 'UTC',
    companyCurrency: 'EUR',
    additionalCurrencies: ['USD'],
    utcOffset: '+00:00',
    utcOffsetMilliseconds: 0,
    uiDomain: 'app.hubspot.com',
    dataHostingLocation: 'eu1',
  });
}

/** Uninstalls the app from the portal: its tokens become invalid, and the journal gets an event. */
function uninstall(call: PortalCall): Answer {
  call.sim.tokens.revokePortal(call.portal.portalId);
  call.sim.journal.recordLifecycle(call.portal.portalId, 'APP_UNINSTALL');
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const ownerScopes = (): string[][] => [['crm.objects.owners.read']];

/** Owners, account facts, uninstall. */
export const accountRoutes: readonly PortalRoute[] = [
  { ...base, method: 'GET', path: '/owners', scopes: ownerScopes, handle: listOwners },
  { ...base, method: 'GET', path: '/owners/:id', scopes: ownerScopes, handle: readOwner },
  { ...base, method: 'GET', path: '/account-info/details', handle: details },
  { ...base, method: 'DELETE', path: '/appinstalls/external-install', handle: uninstall },
];
