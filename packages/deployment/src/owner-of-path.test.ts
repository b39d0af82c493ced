import { ownerOfPath } from './owner-of-path';

it.each([
  ['/api/v1/events', 'ingest-api'],
  ['/api/v1/events?x=1', 'ingest-api'],
  ['/api/v1/events/evt_1/status', 'ingest-api'],
  ['/API/v1/Events/', 'ingest-api'],
  ['/api/webhooks/c/shop', 'ingest-api'],
  ['/api/v1/compat/c/orders', 'ingest-api'],
  ['/api/v1/eventsource', 'config-api'],
  ['/api/v1/templates', 'config-api'],
  ['/api/connectors', 'config-api'],
  ['/docs', 'config-api'],
  ['/', 'config-api'],
  ['', 'config-api'],
])('%s belongs to %s', (target, owner) => {
  expect(ownerOfPath(target)).toBe(owner);
});
