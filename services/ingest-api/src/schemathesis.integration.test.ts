import { ingestRoutes, openApiDocument, type RouteContract } from '@sluice/contracts';
import { aConnector, rawKey } from '@sluice/connector-feed/testing';
import { schemathesisFindings, schemathesisTimeoutMs } from '@sluice/testkit';
import { startIngestApi, type TestIngestApi } from './test-support/start-ingest-api';

const isRoute = (value: unknown): value is RouteContract => typeof value === 'object' && value !== null && 'answers' in value;

let api: TestIngestApi;
beforeAll(async () => {
  api = await startIngestApi([aConnector()]);
});
afterAll(() => api.stop());

it('schemathesis finds no server error and no answer that is not documented on the event plane', async () => {
  const accepted = await api.post({ event: 'order.created', data: {} });
  const findings = await schemathesisFindings({
    baseUrl: api.url,
    document: openApiDocument({ title: 'Sluice', version: '1', routes: Object.values<unknown>(ingestRoutes).filter(isRoute) }),
    headers: { 'x-api-key': rawKey },
    known: { event_id: accepted.body.event_id },
  });
  expect(findings).toBe('');
}, schemathesisTimeoutMs);
