import { callerVerdict, ingestRoutes, type RouteCaller, type RouteContract } from '@sluice/contracts';
import { sha256Hex } from '@sluice/service-kit';
import { aConnector, rawKey } from '@sluice/connector-feed/testing';
import { startIngestApi } from './test-support/start-ingest-api';

/** Who may call what on the event plane, derived from the contracts. */
const routes = Object.values(ingestRoutes as Record<string, unknown>).filter((value): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'answers' in value);

const session = 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln';
const gone = 'slc_revoked-key';
/** How each caller authenticates, and who that is (docs/callers.md). */
const callers: Record<string, { headers: Record<string, string>; is: RouteCaller }> = {
  nobody: { headers: {}, is: 'nobody' },
  'a connector key': { headers: { 'x-api-key': rawKey }, is: 'a connector key' },
  'a connector key as Bearer': { headers: { authorization: `Bearer ${rawKey}` }, is: 'nobody' },
  'a key of a deleted connector': { headers: { 'x-api-key': gone }, is: 'nobody' },
  'an organization key': { headers: { 'x-api-key': 'slo_an-organization-key' }, is: 'an organization key' },
  'a session token': { headers: { 'x-api-key': session, authorization: `Bearer ${session}` }, is: 'an owner' },
  'the operator': { headers: { authorization: 'Bearer operator-token-of-the-tests' }, is: 'the operator' },
};

let ingest: Awaited<ReturnType<typeof startIngestApi>>;
beforeAll(async () => {
  const keys = [{ id: 'k9', hash: sha256Hex(gone), expires_at: null }];
  const deleted = aConnector({ connector_id: '5f0c1c9e-0000-4000-8000-000000000009', deleted: true, keys });
  ingest = await startIngestApi([aConnector(), deleted]);
});
afterAll(() => ingest.stop());

test('every route of the event plane requires a connector key', () => {
  expect(routes.map(({ auth }) => auth)).toEqual(routes.map(() => 'connector_key'));
  expect(routes.length).toBeGreaterThan(1);
});

const cases = routes.flatMap((route) =>
  Object.entries(callers).map(([name, caller]) => [`${route.method} ${route.path}`, name, route, caller] as const));
test.each(cases)('%s by %s', async (_path, _name, { method, path, auth }, { headers, is }) => {
  const init = { method: method.toUpperCase(), headers: { 'content-type': 'application/json', ...headers } };
  const url = ingest.url + path.replaceAll(/:\w+/g, 'evt_nothing');
  const response = await fetch(url, method === 'post' ? { ...init, body: '{}' } : init);
  const entered = response.status !== 401 && response.status !== 403 && response.status < 500;
  expect(entered ? 'enters' : String(response.status)).toBe(callerVerdict({ auth }, is));
});
