import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeWithKafka,
  describeWithRedis,
  eventually,
  startKafka,
  startPostgres,
  startRedis,
  type SpawnedService,
} from '@sluice/testkit';
import { type Arena, type Attack, createTally } from './support/abuse/attack';
import { configPlaneAttacks } from './support/abuse/config-plane-attacks';
import { connectionAttacks } from './support/abuse/connection-attacks';
import { eventPlaneAttacks } from './support/abuse/event-plane-attacks';
import { type GoodTenant, type Phase, startGoodTenant } from './support/abuse/good-tenant';
import {
  bombConfig,
  ended,
  poisonConfig,
  poisonType,
  sendBombs,
  sendEvent,
  superviseRunner,
} from './support/abuse/runner-attacks';
import { signInAttacks } from './support/abuse/sign-in-attacks';
import { createTable } from './support/abuse/table';
import { startCluster, type Cluster, type Tenant } from './support/cluster';
import { shopConfig } from './support/shop-config';
import { readCrm } from './support/verify-crm';

/** Megabytes of heap of each service. */
const heapMb = 128;
/**
 * The good tenant's p99 may be so many times its idle one, the better of before and after the attacks. Below the floor it counts
 * as good: two cores are shared with the attackers, the broker and the databases.
 */
const [allowedTimes, floorMs] = [10, 1_500];

/** Largest resident memory that a process has had, in MiB. */
const peakMb = ({ pid }: SpawnedService): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);

describeWithKafka('attacks on the product, beside a tenant that does nothing wrong', () => {
  describeWithRedis('every service in a process with a small heap', () => {
    let servers: { stop(): Promise<unknown> }[] = [];
    let cluster: Cluster;
    let arena: Arena;
    let good: GoodTenant;
    let [tenant, poisoned]: Tenant[] = [];
    let runner: ReturnType<typeof superviseRunner>;
    let poisonId: string;
    let idle: Phase;
    const table = createTable();

    beforeAll(async () => {
      const [kafka, redis, postgres] = await Promise.all([startKafka(), startRedis(), startPostgres()]);
      servers = [kafka, redis, postgres];
      cluster = await startCluster(
        { databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, kafkaBrokers: kafka.brokers.join(',') },
        {
          ingest: 1,
          runners: 0,
          env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}`, SLUICE_RATE_LIMIT_SCALE: '1', SLUICE_TRUST_PROXY: '1' },
        },
      );
      runner = superviseRunner(cluster, { SLUICE_FAILPOINT: `attempt_of:${poisonType}` });
      tenant = await cluster.tenant(shopConfig);
      poisoned = await cluster.tenant(poisonConfig);
      arena = {
        cluster,
        ingest: cluster.ingest[0]!.url,
        config: cluster.configApi.url,
        attacker: await cluster.tenant(bombConfig, { tier: 'trial' }),
      };
      good = startGoodTenant(arena.ingest, tenant);
      await sleep(1_000);
      good.phase();
      await sleep(4_000);
      idle = good.phase();
      good.begin();
      poisonId = await sendEvent(arena.ingest, poisoned, poisonType, { email: 'poison@shop.test' });
    }, 180_000);
    afterAll(async () => {
      runner?.stop();
      await good?.stop();
      await cluster?.stop();
      await Promise.all(servers.map((server) => server.stop()));
      process.stdout.write(table.text());
    }, 60_000);

    const attack = async ({ answers, run }: Attack, name: string): Promise<void> => {
      const tally = createTally();
      good.phase();
      const begun = performance.now();
      await run(arena, tally);
      await sleep(300);
      table.add({ name, tally, ms: performance.now() - begun, good: good.phase(), idle });
      expect([...tally.statuses.keys()].filter((status) => !answers.includes(status))).toEqual([]);
    };

    const attacks = [...eventPlaneAttacks, ...connectionAttacks, ...configPlaneAttacks, ...signInAttacks];
    it.each(attacks.map((one) => [one.name, one] as const))('%s', (name, one) => attack(one, name));

    it('expressions that multiply fail their event and name the mapping', async () => {
      const ids = await sendBombs(arena.ingest, arena.attacker, 4);
      const ends = await Promise.all(ids.map((id) => ended(arena.ingest, arena.attacker, id, 60_000)));
      expect(ends.map(({ status }) => status)).toEqual(ids.map(() => 'failed'));
      for (const { entities } of ends) expect(entities[0]!.error).toMatch(/'jobtitle' asks for/);
    }, 90_000);

    it('an event that ends its runner ends quarantined, and the runner goes on', async () => {
      const { status, entities } = await ended(arena.ingest, poisoned!, poisonId, 90_000);
      expect([status, entities[0]!.status]).toEqual(['failed', 'quarantined']);
      expect(runner.deaths.length).toBe(3);
    }, 100_000);

    it('the good tenant was not harmed: its accepts stayed quick, none was refused, and every event has arrived', async () => {
      const attacked = good.whole();
      good.phase();
      await sleep(3_000);
      const idleAfter = good.phase();
      table.whole({ attacked, idleAfter });
      const idleP99 = Math.min(idle.p99, idleAfter.p99);
      await good.stop();
      await eventually(
        async () => {
          const { byIdentity, duplicates } = await readCrm(cluster, tenant!.portalId, 'contacts', 'email', 'jobtitle');
          expect([[...good.accepted].filter((name) => !byIdentity.has(name)).length, duplicates]).toEqual([0, []]);
        },
        { timeoutMs: 60_000, everyMs: 500 },
      );
      expect(attacked.refused).toEqual({});
      expect(attacked.p99).toBeLessThan(Math.max(allowedTimes * idleP99, floorMs));
    }, 90_000);

    it('no other process has died', async () => {
      const alive = await Promise.all(
        [cluster.configApi, cluster.ingest[0]!].map(({ ended: end }) => Promise.race([end, Promise.resolve('alive')])),
      );
      expect(alive).toEqual(['alive', 'alive']);
      table.memory({
        'config-api': peakMb(cluster.configApi),
        'ingest-api': peakMb(cluster.ingest[0]!),
        'flow-runner': peakMb(cluster.runners.at(-1)!),
      });
    });
  });
});
