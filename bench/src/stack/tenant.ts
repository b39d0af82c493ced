import { randomBytes } from 'node:crypto';
import { eventually } from '@sluice/testkit';
import type { Portal } from './crm';

/** A connector that writes contacts, ready to take events. */
export interface Connector {
  id: string;
  apiKey: string;
}

/** One with a webhook `shop`. */
export interface CallableConnector extends Connector {
  /** Empty where the config has no webhook. */
  webhookSecret: string;
}

/** Calls the API; throws on what is not answered with 2xx. */
export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** The config measured connectors publish: customers become contacts, one upsert an event, both request shapes. */
export const customerConfig = {
  version: '3.0',
  entities: [
    {
      name: 'customer',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { strategy: 'match_or_create', property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email', transform: ['lowercase'] },
            { source: '$.payload.first_name', target: 'firstname' },
            { source: '$.payload.last_name', target: 'lastname' },
            { source: '$.payload.city', target: 'city' },
            { source: '$.payload.sequence', target: 'bench_sequence' },
          ],
        },
      },
    },
  ],
  flows: ['customer_synced', 'customer.saved'].map((eventType) => ({
    name: eventType,
    source: 'event_api',
    event_type: eventType,
    steps: [{ id: 'save', action: 'upsert', entity: 'customer', target: 'crm' }],
  })),
  sources: [{ name: 'shop', type: 'webhook', config: { event_type_path: '$.event' } }],
  settings: {},
};

interface Published {
  created_sources: { secret: string }[];
}

function caller(baseUrl: string, token?: string): Call {
  return async <T>(method: string, path: string, body?: unknown) => {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
}

/** An enterprise organization bound to a portal: calls of its owner, through the public API. */
export const openOrganization = async (configApi: string, operatorToken: string, portal: Portal): Promise<Call> =>
  (await organizationCaller(configApi, operatorToken, portal)).call;

/** A token is good for 15 minutes: after this time the owner signs in again. */
const tokenMs = 600_000;

/** The same, with a token of the owner that is good for some minutes. */
export async function organizationCaller(
  configApi: string, operatorToken: string, portal: Portal,
): Promise<{ call: Call; token(): Promise<string> }> {
  const owner = { email: `owner-${randomBytes(4).toString('hex')}@bench.example`, password: randomBytes(12).toString('hex') };
  const organization = { name: 'Bench', owner_email: owner.email, owner_password: owner.password, tier: 'enterprise' };
  await caller(configApi, operatorToken)('POST', '/operator/organizations', organization);
  let [kept, signedInAt] = ['', Number.NEGATIVE_INFINITY];
  const token = async (): Promise<string> => {
    if (performance.now() - signedInAt > tokenMs) {
      kept = (await caller(configApi)<{ access_token: string }>('POST', '/api/auth/login', owner)).access_token;
      signedInAt = performance.now();
    }
    return kept;
  };
  const call: Call = async (method, path, body) => caller(configApi, await token())(method, path, body);
  await call('POST', '/api/credentials', {
    name: 'portal',
    credential_type: 'crm_oauth',
    data: { access_token: portal.accessToken },
  });
  return { call, token };
}

/**
 * Published connectors, everything through the public API.
 * @param owner calls of the owner of their organization; default: an organization of their own
 * @param configOf the config of the connector with this number; default: customers become contacts
 */
export async function createConnectors(
  configApi: string,
  operatorToken: string,
  portal: Portal,
  count: number,
  owner?: Call,
  configOf: (index: number) => unknown = () => customerConfig,
): Promise<CallableConnector[]> {
  const call = owner ?? (await openOrganization(configApi, operatorToken, portal));
  const connectors: CallableConnector[] = [];
  for (let index = 0; index < count; index += 1) {
    const made = await call<{ id: string; api_key: { raw_key: string } }>('POST', '/api/connectors', {
      name: `Connector ${index}`,
      create_api_key: true,
    });
    await call('PUT', `/api/connectors/${made.id}/draft`, configOf(index));
    const { created_sources: created } = await call<Published>('POST', `/api/connectors/${made.id}/publish`, {});
    connectors.push({ id: made.id, apiKey: made.api_key.raw_key, webhookSecret: created[0]?.secret ?? '' });
  }
  return connectors;
}

/** Waits until a started ingest-api knows the newest published version of the connectors: their events match a flow. */
export async function untilKnown(ingestUrl: string, connectors: readonly Connector[]): Promise<void> {
  for (const { apiKey } of connectors) {
    await eventually(async () => {
      const response = await fetch(`${ingestUrl}/api/v1/events`, {
        method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ event: 'customer.saved', data: { email: 'warm-up@bench.example', sequence: '0' } }),
      });
      if (response.status !== 202) throw new Error(`a first event was answered ${response.status} ${await response.text()}`);
      return ((await response.json()) as { hint: string | null }).hint === null;
    }, { timeoutMs: 20_000, everyMs: 250 });
  }
}
