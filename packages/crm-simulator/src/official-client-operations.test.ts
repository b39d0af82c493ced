import { allRoutes } from './all-routes';
import { canonicalPath } from './http/path-aliases';
import { createRouter } from './http/router';
import { declaredCodes, declaredOperations } from './testing/declared-operations';

/** Operations of the client in served areas that the simulator does not have. */
const missing = ['POST /crm/v4/associations/usage/high-usage-report/{userId}'];

const router = createRouter(allRoutes);
/**
 * Whether an operation has a route. One whose literal last segment is another route's parameter has none: `/files/search` would
 * be the file `search`.
 */
function isServed({ method, path }: { method: string; path: string }): boolean {
  const match = router.match(method, canonicalPath(path.replaceAll(/\{\w+\}/g, '1')));
  const last = path.split('/').at(-1)!;
  return match !== undefined && (match.params['id'] === undefined || match.params['id'] !== last);
}

it('an area of the CRM is served with every operation that the official client has there', () => {
  const operations = declaredOperations();
  expect(operations.length).toBeGreaterThan(600);
  const served = new Set(operations.filter(isServed).map(({ area }) => area));
  expect([...served]).toEqual(expect.arrayContaining(['crm/contacts', 'crm/schemas', 'files', 'marketing/forms', 'oauth']));
  const lacking = operations.filter((operation) => served.has(operation.area) && !isServed(operation));
  expect(lacking.map(({ method, path }) => `${method} ${path}`)).toEqual(missing);
});

it('the codes that the client takes are found by call', () => {
  expect(declaredCodes('POST', '/marketing/v3/forms/')).toEqual([201]);
  expect(declaredCodes('GET', '/files/v3/files/search?name=a')).toEqual([200]);
  expect(declaredCodes('DELETE', '/files/v3/files/7')).toEqual([204]);
  expect(declaredCodes('POST', '/crm/v3/objects/contacts/batch/upsert')).toEqual([200, 207]);
  expect(declaredCodes('GET', '/_sim/stats')).toBeUndefined();
});
