import { allRoutes } from '../all-routes';
import { canonicalPath } from './path-aliases';
import { createRouter, routeLabel } from './router';

const router = createRouter([
  { method: 'GET', path: '/a/fixed' },
  { method: 'GET', path: '/a/:id' },
  { method: 'POST', path: '/a/:t/:id' },
]);

it('prefers what is declared first, decodes parameters, and knows other methods', () => {
  expect(router.match('GET', '/a/fixed')).toMatchObject({ route: { path: '/a/fixed' }, params: {} });
  expect(router.match('GET', '/a/x%40y%2Bz')?.params).toEqual({ id: 'x@y+z' });
  expect(router.match('GET', '/a/%E0%A4%A')).toBeUndefined();
  expect(router.match('GET', '/a/b/c')).toBeUndefined();
  expect(router.knowsPath('/a/b/c')).toBe(true);
  expect(router.match('GET', '/a/fixed/')).toBeDefined();
});

it('labels routes by the published path, object types kept, ids left out', () => {
  expect(routeLabel('/objects/:t/:id', '/crm/v3/objects/contacts/12')).toBe('/crm/v3/objects/contacts/{id}');
  expect(routeLabel('/objects/:t/batch/upsert', '/crm/objects/2026-09/deals/batch/upsert')).toBe(
    '/crm/objects/2026-09/deals/batch/upsert',
  );
});

it.each([
  ['/crm/v3/objects/contacts', '/objects/contacts'],
  ['/crm/objects/v3/contacts', '/objects/contacts'],
  ['/crm/objects/2026-09/contacts/1', '/objects/contacts/1'],
  ['/crm/v4/objects/a/1', '/objects-v4/a/1'],
  ['/crm/v4/associations/a/b/batch/read', '/associations/a/b/batch/read'],
  ['/crm/associations/2026-09/a/b/labels', '/associations/a/b/labels'],
  ['/crm/v3/associations/a/b/batch/read', '/associations-v3/a/b/batch/read'],
  ['/crm/v3/schemas/x', '/schemas/x'],
  ['/crm-object-schemas/v3/schemas', '/schemas'],
  ['/oauth/v1/token', '/oauth-v1/token'],
  ['/oauth/2026-03/token', '/oauth-v3/token'],
  ['/webhooks-journal/journal-local/2026-03/latest', '/journal/latest'],
  ['/webhooks/v4/subscriptions', '/subscriptions'],
  ['/crm/v3/objectsx', '/crm/v3/objectsx'],
])('%s is %s', (published, canonical) => {
  expect(canonicalPath(published)).toBe(canonical);
});

it('has no route that an earlier one hides', () => {
  const all = createRouter(allRoutes);
  for (const route of allRoutes) expect(all.match(route.method, route.path.replaceAll(':', 'x'))?.route).toBe(route);
});
