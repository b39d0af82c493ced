import { startKafka, startPostgres, startRedis, type TestKafka, type TestPostgres, type TestRedis } from '@sluice/testkit';
import { type Cluster, startCluster, type Tenant } from '../support/cluster';
import { shopConfig } from '../support/shop-config';

/** The product on real servers, each service a process of its own, and tenants with a portal each. */
export interface ChaosStack {
  kafka: TestKafka;
  postgres: TestPostgres;
  redis: TestRedis;
  cluster: Cluster;
  tenants: readonly Tenant[];
  stop(): Promise<void>;
}

/** Their connectors lie in several partitions, so that both runners own some. */
const tenantCount = 3;
/** How far behind the CRM's search is: a create whose answer was lost is not found at once. */
const searchLagMs = 1_500;

/** Waits that let an event outlive every trouble, and end soon after the last one. */
const env = {
  SLUICE_RETRY_WAITS: '1,2,4,8', SLUICE_RETRY_CEILING: '8', SLUICE_SEARCH_LAG: '3', SLUICE_BREAKER_WAITS: '2,4,8',
  SLUICE_BREAKER_CHECK: '2', SLUICE_WRITE_CAP: '1000000', SLUICE_ATTEMPTS: '12',
};

/**
 * Starts it; what had started is stopped when something fails.
 * @param built the services are compiled: outside of jest
 */
export async function startChaosStack(built: boolean): Promise<ChaosStack> {
  const started: { stop(): Promise<unknown> }[] = [];
  const keep = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    started.push(part);
    return part;
  };
  const stop = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    const [kafka, redis, postgres] = [keep(await startKafka()), keep(await startRedis()), keep(await startPostgres())];
    const cluster = keep(await startCluster(
      { databaseUrl: await postgres.createDatabase('chaos'), redisUrl: redis.url, kafkaBrokers: kafka.brokers.join(',') },
      { ingest: 2, runners: 2, env, spawn: { built, readyTimeoutMs: 90_000 } },
    ));
    const tenants: Tenant[] = [];
    while (tenants.length < tenantCount) tenants.push(await cluster.tenant(shopConfig));
    for (const { portalId } of tenants)
      await cluster.sim('PATCH', `/_sim/portals/${portalId}`, { search_lag_ms: searchLagMs });
    return { kafka, postgres, redis, cluster, tenants, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
