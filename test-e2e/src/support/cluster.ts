import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, bearer, createApiClient, signIn } from '@sluice/api-client';
import { createCrmSimulator, type CrmSimulator } from '@sluice/crm-simulator';
import { heldBy, homeService, type ServiceName, services } from '@sluice/deployment';
import { databaseUrlOf, migrated } from './database-roles';
import { spawnService, type SpawnedService, type SpawnOptions } from '@sluice/testkit';

/** The external parts a cluster stands on. */
export interface ClusterParts {
  databaseUrl: string;
  redisUrl: string;
  kafkaBrokers: string;
}

/** A connector ready to take events: its organization, portal, key and published config. */
export interface Tenant {
  organizationId: string;
  email: string;
  password: string;
  connectorId: string;
  connectorKey: string;
  sessionToken: string;
  portalId: string;
}

/** Creates an organization with one published connector, then changes the organization as told. */
export type CreateTenant = (config: unknown, organization?: Record<string, unknown>) => Promise<Tenant>;

/**
 * Every service of the product (packages/deployment) in its own process on real Kafka, Redis and Postgres, each with the secrets
 * and the database role that it is given where it is deployed, and the CRM simulator in this one.
 */
export interface Cluster {
  simulator: CrmSimulator;
  crmUrl: string;
  configApi: SpawnedService;
  ingest: SpawnedService[];
  runners: SpawnedService[];
  /** @param readyPath answers 200 when the service counts as started. Default /readyz */
  startRunner(env?: Record<string, string>, readyPath?: string): Promise<SpawnedService>;
  startIngest(env?: Record<string, string>): Promise<SpawnedService>;
  /** How many instances of a service were started and not taken out by hand. */
  instances(name: ServiceName): number;
  /** Kills an instance with SIGKILL, and starts another one at its address. Resolves when that is ready. */
  replace(name: ServiceName, index: number): Promise<void>;
  /** Creates an organization with one published connector through the product's own surfaces, then changes it as told. */
  tenant: CreateTenant;
  sim(method: string, path: string, body?: unknown): Promise<any>;
  stop(): Promise<void>;
}

const operatorToken = 'operator-token-of-the-cluster';

/** A JSON call that fails loudly unless it is answered with 2xx. */
export async function call(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<any> {
  const response = await fetch(base + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

export const operatorHeaders = bearer(operatorToken);

/** @param owners what the addresses of the owners begin with; each needs its own */
export function createTenants({ configUrl, crmUrl, owners }: Record<'configUrl' | 'crmUrl' | 'owners', string>): CreateTenant {
  let tenants = 0;
  const api = (token?: string): ApiClient =>
    createApiClient({ baseUrl: configUrl, ...(token === undefined ? {} : { headers: bearer(token) }) });
  return async (config, organization = {}) => {
    tenants += 1;
    const [email, password] = [`${owners}${tenants}@shop.test`, 'a-long-password'];
    const { organization_id: organizationId } = await api(operatorToken).createOrganization({
      body: { name: `Shop ${tenants}`, owner_email: email, owner_password: password, tier: 'enterprise' },
    });
    const sessionToken = await signIn(configUrl, { email, password });
    const portal = await call(crmUrl, 'POST', '/_sim/portals', {});
    const owner = api(sessionToken);
    const credential = await owner.createCredential({
      body: { name: 'portal', credential_type: 'crm_oauth', data: { refresh_token: portal.refresh_token } },
    });
    const connector = await owner.createConnector({
      body: { name: 'shop', credential_id: credential.id, create_api_key: true, api_key_label: 'shop' },
    });
    const params = { connector_id: connector.id };
    await owner.replaceDraft({ params, body: { ...(config as object) } });
    await owner.publishDraft({ params });
    const change = Object.keys(organization).length > 0;
    const changed = { params: { organization_id: organizationId }, body: organization };
    if (change) await api(operatorToken).updateOrganization(changed);
    return {
      organizationId,
      email,
      password,
      connectorId: connector.id,
      connectorKey: connector.api_key!.raw_key,
      sessionToken,
      portalId: String(portal.portal_id),
    };
  };
}

const aKey = (): string => `k1:${randomBytes(32).toString('base64')}`;

export interface ClusterOptions {
  ingest: number;
  runners: number;
  /** Of journal-poller. Default: 1. */
  pollers?: number;
  env?: Record<string, string>;
  /** How services are started: outside of jest they are already compiled (`built`). */
  spawn?: SpawnOptions;
}

export async function startCluster(parts: ClusterParts, options: ClusterOptions): Promise<Cluster> {
  const simulator = createCrmSimulator();
  const { url: crmUrl } = await simulator.start(0);
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-cluster-'));
  const env = {
    DATABASE_URL: parts.databaseUrl,
    REDIS_URL: parts.redisUrl,
    KAFKA_BROKERS: parts.kafkaBrokers,
    SLUICE_DATA_DIR: dataDir,
    SLUICE_ENCRYPTION_KEYS: aKey(),
    SLUICE_EVENT_ID_KEYS: aKey(),
    SLUICE_WEBHOOK_KEYS: aKey(),
    SLUICE_OPERATOR_TOKEN: operatorToken,
    SLUICE_LOG_LEVEL: 'warn',
    SLUICE_CRM_BASE_URL: crmUrl,
    SLUICE_CRM_CLIENT_ID: 'cluster',
    SLUICE_CRM_CLIENT_SECRET: 'cluster-secret',
    SLUICE_RATE_LIMIT_SCALE: '0',
    ...options.env,
  };
  const running = Object.fromEntries(services.map(({ name }) => [name, []])) as unknown as Record<ServiceName, SpawnedService[]>;
  const envOf = (name: ServiceName): Record<string, string> =>
    ({ ...heldBy(name, env), DATABASE_URL: databaseUrlOf(name, parts.databaseUrl), SLUICE_MIGRATIONS: 'wait' });
  const start = async (name: ServiceName, more: Record<string, string> = {}, readyPath = '/readyz'): Promise<SpawnedService> => {
    const service = await spawnService(name, { ...envOf(name), ...more }, { ...options.spawn, readyPath });
    running[name].push(service);
    return service;
  };
  const replace = async (name: ServiceName, index: number): Promise<void> => {
    const { port, kill } = running[name][index]!;
    await kill();
    running[name][index] = await spawnService(name, { ...envOf(name), SLUICE_PORT: String(port) }, options.spawn);
  };
  await migrated(parts.databaseUrl);
  const { url: configUrl } = await start(homeService);
  const counts: Partial<Record<ServiceName, number>> = { 'ingest-api': options.ingest, 'flow-runner': options.runners,
    'journal-poller': options.pollers ?? 1 };
  const others = services.filter(({ name }) => name !== homeService);
  await Promise.all(others.flatMap(({ name }) => Array.from({ length: counts[name] ?? 1 }, () => start(name))));
  return {
    simulator,
    crmUrl,
    get configApi() { return running[homeService][0]!; },
    ingest: running['ingest-api'],
    runners: running['flow-runner'],
    startRunner: (more, readyPath) => start('flow-runner', more, readyPath),
    startIngest: (more) => start('ingest-api', more),
    instances: (name) => running[name].length,
    replace,
    sim: (method, path, body) => call(crmUrl, method, path, body),
    tenant: createTenants({ configUrl, crmUrl, owners: 'owner' }),
    stop: async () => {
      const all = Object.values(running).flat();
      await Promise.all(all.map((service) => service.stop().catch((error: unknown) => error)));
      await simulator.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
