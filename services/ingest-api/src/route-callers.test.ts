import { createHmac } from 'node:crypto';
import { callerVerdict, ingestRoutes, type RouteCaller, routeCallers, type RouteContract } from '@sluice/contracts';
import { compatKeyHash } from '@sluice/connector-feed';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { sha256Hex } from '@sluice/service-kit';
import { startIngestApi } from './test-support/start-ingest-api';

/** Who may call what on the event plane, derived from the contracts. */
const routes = Object.values(ingestRoutes as Record<string, unknown>).filter((value): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'answers' in value);

const session = 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln';
const gone = 'slc_revoked-key';
const legacy = 'key of a legacy system';
const secret = 'secret of the webhook';
const signature = (text: string): string => createHmac('sha256', text).update('{}').digest('hex');
/** How each caller authenticates, and who that is (docs/callers.md). */
const callers: Record<string, { headers: Record<string, string>; is: RouteCaller }> = {
  nobody: { headers: {}, is: 'nobody' },
  'a connector key': { headers: { 'x-api-key': rawKey }, is: 'a connector key' },
  'a connector key as Bearer': { headers: { authorization: `Bearer ${rawKey}` }, is: 'nobody' },
  'a key of a deleted connector': { headers: { 'x-api-key': gone }, is: 'nobody' },
  'an organization key': { headers: { 'x-api-key': 'slo_an-organization-key' }, is: 'an organization key' },
  'a session token': { headers: { 'x-api-key': session, authorization: `Bearer ${session}` }, is: 'an owner' },
  'the operator': { headers: { authorization: 'Bearer operator-token-of-the-tests' }, is: 'the operator' },
  'a webhook sender': { headers: { 'x-signature': signature(secret) }, is: 'a webhook sender' },
  'a webhook sender with another secret': { headers: { 'x-signature': signature('other') }, is: 'nobody' },
  'a compat key': { headers: { 'x-legacy-key': legacy }, is: 'a compat key' },
  'a compat key in the header of connector keys': { headers: { 'x-api-key': legacy }, is: 'nobody' },
};

let ingest: Awaited<ReturnType<typeof startIngestApi>>;
beforeEach(async () => {
  const keys = [{ id: 'k9', hash: sha256Hex(gone), expires_at: null }];
  const deleted = aConnector({ connector_id: '5f0c1c9e-0000-4000-8000-000000000009', deleted: true, keys });
  ingest = await startIngestApi([aConnector(), deleted]);
  ingest.compatKeys.set(`${connectorId}/${compatKeyHash(connectorId, legacy)}`, 'k1');
  ingest.published.set(connectorId, {
    sources: [{ name: 'shop', type: 'webhook', config: {} }], secrets: { shop: secret },
    ingressProfile: { auth_header: 'X-Legacy-Key', routes: [{ path: 'orders', event: 'order' }] },
  });
});
afterEach(() => ingest.stop());

test('every route of the event plane requires a key or a signature, but for URLs that nobody can guess', () => {
  const open = routes.filter(({ auth }) => auth === 'none').map(({ name }) => name);
  expect(open).toEqual(['receive_unsigned_webhook']);
  expect(new Set(routes.map(({ auth }) => auth))).toEqual(new Set(['connector_key', 'signature', 'compat_key', 'none']));
});

test('every caller that the event plane knows is walked', () => {
  const walked = new Set(Object.values(callers).map(({ is }) => is));
  // For the event plane all people are alike.
  const people = ['a member', 'an owner of another organization', 'a former member', 'a person without an organization'];
  expect(routeCallers.filter((caller) => !walked.has(caller))).toEqual(people);
});

const values: Record<string, string> = { connector_id: connectorId, source_name: 'shop', path: 'orders', action: 'all' };
const cases = routes.flatMap((route) =>
  Object.entries(callers).map(([name, caller]) => [`${route.method} ${route.path}`, name, route, caller] as const));
test.each(cases)('%s by %s', async (_path, _name, { method, path, auth }, { headers, is }) => {
  const init = { method: method.toUpperCase(), headers: { 'content-type': 'application/json', ...headers } };
  const url = ingest.url + path.replaceAll(/[:*](\w+)/g, (_whole, name: string) => values[name] ?? 'evt_nothing');
  const response = await fetch(url, method === 'post' ? { ...init, body: '{}' } : init);
  const entered = response.status !== 401 && response.status !== 403 && response.status < 500;
  expect(entered ? 'enters' : String(response.status)).toBe(callerVerdict({ auth }, is));
});
