import { startKafka, startPostgres, startRedis } from '@sluice/testkit';
import { type Cluster, startCluster } from '../../support/cluster';

/** Settings of a cluster whose sources are read often, of servers on this machine. */
export const sourceTimings = { SLUICE_JOURNAL_POLL: '1', SLUICE_WORKER_TICK: '0.5', SLUICE_ALLOW_PRIVATE_TARGETS: 'on' } as const;

/** Every service as a process on real servers, with two journal-pollers, compiled. What had started is stopped when one fails. */
export async function startSourceStack(): Promise<{ cluster: Cluster; stop(): Promise<void> }> {
  const started: { stop(): Promise<unknown> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  const keep = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    started.push(part);
    return part;
  };
  try {
    const [kafka, redis, postgres] = [keep(await startKafka()), keep(await startRedis()), keep(await startPostgres())];
    const parts = { databaseUrl: await postgres.createDatabase('sources'), redisUrl: redis.url,
      kafkaBrokers: kafka.brokers.join(',') };
    const env = { SLUICE_WRITE_CAP: '1000000', ...sourceTimings };
    const spawn = { built: true, readyTimeoutMs: 90_000 };
    return { cluster: keep(await startCluster(parts, { ingest: 1, runners: 2, pollers: 2, env, spawn })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
