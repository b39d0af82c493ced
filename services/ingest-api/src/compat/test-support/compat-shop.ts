import { compatKeyHash } from '@sluice/connector-feed';
import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import type { IngressProfile } from '@sluice/contracts';
import { ingestApiOfTest } from '../../test-support/ingest-api-of-test';
import type { startIngestApi } from '../../test-support/start-ingest-api';

/** The compat key of the shop's connector. */
export const legacyKey = 'legacy key of the shop';
const profile: IngressProfile = {
  auth_header: 'X-Legacy-Key',
  max_entities: 3,
  routes: [
    { path: 'orders/import', event: 'order' },
    { path: 'Any', event_field: 'meta.kind', split: 'none' },
    { path: 'typed', event_field: 'event', events: ['customer', 'order'] },
  ],
  resend_actions: { again: ['order', 'customer'], all: 'order' },
};

/** The body of a call with an order for each id. */
export const orders = (...ids: string[]) => (
  { version: '1', source: 'shop', event: 'ignored', entities: ids.map((id) => ({ externalObjectId: id, total: 5 })) }
);

/** The body of an answer that refuses a call. */
export const error = (message: string) => ({ result: 'error', message });

/**
 * The ingest-api of a shop that calls the compat ingress; it ends with the test that started it. Call it at the top level of a
 * test file.
 */
export function compatShopOfTest() {
  const ingest = ingestApiOfTest();

  /** @param more changes of the ingress profile */
  const start = async (
    more: Partial<IngressProfile> = {},
    change: Parameters<typeof aConnector>[0] = {},
    settings: Parameters<typeof startIngestApi>[1] = {},
  ): Promise<void> => {
    const api = await ingest.start([aConnector(change)], { allowPrivateTargets: true, ...settings });
    api.published.set(connectorId, { sources: [], secrets: {}, ingressProfile: { ...profile, ...more } });
    api.compatKeys.set(`${connectorId}/${compatKeyHash(connectorId, legacyKey)}`, 'compat-key-1');
  };

  const call = (path: string, body?: unknown, headers: Record<string, string> = {}, method = 'POST') =>
    ingest.api().send(path.startsWith('/') ? path : `/api/v1/compat/${connectorId}/${path}`, {
      method, headers: { 'x-legacy-key': legacyKey, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const check = async (callId: string) => (await call(`api/check/${callId}`)).body;
  return { start, call, check, stop: ingest.stop, api: ingest.api };
}
