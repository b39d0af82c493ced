import { ingestRoutes, openApiDocument, type RouteContract } from '@sluice/contracts';
import { schemaCompilers } from '@sluice/service-kit';
import { fuzz, operationsOf } from '@sluice/testkit';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { startIngestApi, type TestIngestApi } from './test-support/start-ingest-api';

let api: TestIngestApi;
beforeAll(async () => {
  api = await startIngestApi([aConnector()]);
});
afterAll(() => api.stop());

const isRoute = (value: unknown): value is RouteContract => typeof value === 'object' && value !== null && 'answers' in value;
const routes = Object.values<unknown>(ingestRoutes).filter(isRoute);
const operations = operationsOf(openApiDocument({ title: 'Sluice', version: '1', routes }));

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'every answer to random requests of %s is documented',
  async (_name, operation) => {
    const accepted = await api.post({ event: 'order.created', data: {} });
    expect(accepted.status).toBe(202);
    const known = { event_id: accepted.body.event_id as string, connector_id: connectorId };
    expect(
      await fuzz(operation, { baseUrl: api.url, headers: { 'x-api-key': rawKey }, known, compile: schemaCompilers.json }),
    ).toEqual([]);
  },
  60_000,
);
