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
import { allAttacks } from './support/abuse/all-attacks';
import type { Attack } from './support/abuse/attack';
import { type Attackers, startAttackers } from './support/abuse/attackers';
import { type GoodTenant, startGoodTenant } from './support/abuse/good-tenant';
import {
  attemptType,
  bombConfig,
  ended,
  poisonConfig,
  planType,
  sendBombs,
  sendEvent,
  superviseRunner,
} from './support/abuse/runner-attacks';
import { createTable } from './support/abuse/table';
import { startCluster, type Cluster, type Tenant } from './support/cluster';
import { shopConfig } from './support/shop-config';
import { readCrm } from './support/verify-crm';

/**
 * Megabytes of heap of each service: less than its container gives it. config-api uses 85 of them before the first request, most
 * of it code and the source maps of its stack traces; the drafts of the attacks needed 40 more.
 */
const heapMb = 192;
/**
 * The good tenant's p99 may be so many times its idle one. Idle is before, after and between the attacks: whatever else the
 * machine does then slows both down.
 */
const allowedTimes = 10;

/** Services compile what they run often; then the idle times are taken, of some 400 accepts before and after, and 24 between. */
const [warmUpMs, idleMs, settleMs, pauseMs] = [10_000, 10_000, 300, 600];

/** Largest resident memory that a process has had, in MiB. */
const peakMb = ({ pid }: SpawnedService): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);

describeWithKafka('attacks on the product, beside a well-behaved tenant', () => {
  describeWithRedis('every service in a process with a small heap', () => {
    let servers: { stop(): Promise<unknown> }[] = [];
    let cluster: Cluster;
    let attackers: Attackers;
    let good: GoodTenant;
    let [tenant, poisoned, attacker]: Tenant[] = [];
    let runner: ReturnType<typeof superviseRunner>;
    let poisonId: string;
    let ingest: string;
    const table = createTable();

    beforeAll(async () => {
      const [kafka, redis, postgres] = await Promise.all([startKafka(), startRedis(), startPostgres()]);
      servers = [kafka, redis, postgres];
      cluster = await startCluster(
        { databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, kafkaBrokers: kafka.brokers.join(',') },
        {
          ingest: 1,
          runners: 0,
          env: {
            NODE_OPTIONS: `--max-old-space-size=${heapMb}`, SLUICE_RATE_LIMIT_SCALE: '1', SLUICE_TRUST_PROXY: '1',
            // What an attack uses up however fast the machine is.
            SLUICE_VERIFY_BUDGET: '1',
          },
        },
      );
      runner = superviseRunner(cluster, { SLUICE_FAILPOINT: `attempt_of:${attemptType},plan_of:${planType}` });
      tenant = await cluster.tenant(shopConfig);
      poisoned = await cluster.tenant(poisonConfig);
      attacker = await cluster.tenant(bombConfig, { tier: 'trial' });
      ingest = cluster.ingest[0]!.url;
      attackers = startAttackers({ ingest, config: cluster.configApi.url, crm: cluster.crmUrl, attacker });
      good = startGoodTenant(ingest, tenant);
      await sleep(warmUpMs);
      await good.quiet(idleMs);
      good.begin();
      poisonId = await poison(attemptType);
    }, 300_000);
    afterAll(async () => {
      runner?.stop();
      attackers?.stop();
      await good?.stop();
      await cluster?.stop();
      await Promise.all(servers.map((server) => server.stop()));
      process.stdout.write(table.text());
    }, 60_000);

    const poison = (type: string): Promise<string> => sendEvent(ingest, poisoned!, type, { email: `${type}@shop.test` });

    const attack = async ({ answers, name }: Attack): Promise<void> => {
      good.phase();
      const begun = performance.now();
      const report = await attackers.run(name);
      await sleep(300);
      table.add({ name, report, ms: performance.now() - begun, good: good.phase() });
      // Requests under way still end; then the good tenant is alone for a while.
      await sleep(settleMs);
      await good.quiet(pauseMs);
      expect(report.failure).toBeNull();
      expect(report.statuses.filter(([status]) => !answers.includes(status))).toEqual([]);
    };

    it.each(allAttacks.map((one) => [one.name, one] as const))('%s', (_, one) => attack(one), 200_000);

    it('expressions that multiply fail their event and name the mapping', async () => {
      const ids = await sendBombs(ingest, attacker!, 4);
      const ends = await Promise.all(ids.map((id) => ended(ingest, attacker!, id, 60_000)));
      expect(ends.map(({ status }) => status)).toEqual(ids.map(() => 'failed'));
      for (const { entities } of ends) expect(entities[0]!.error).toMatch(/'jobtitle' asks for/);
    }, 90_000);

    const quarantined = async (id: string, before: number): Promise<void> => {
      const { status, entities } = await ended(ingest, poisoned!, id, 150_000);
      const [record] = entities;
      expect([status, record!.status, record!.reason]).toEqual(['failed', 'quarantined', 'crashed_runner']);
      expect(runner.deaths.length - before).toBeLessThanOrEqual(5);
    };

    it('an event that crashes its runner ends quarantined, and the runner continues', () => quarantined(poisonId, 0), 160_000);

    it('an event that crashes its runner while it is planned ends quarantined too', async () => {
      const before = runner.deaths.length;
      await quarantined(await poison(planType), before);
      expect(runner.deaths.length).toBeGreaterThan(before);
    }, 300_000);

    it('the good tenant was not affected: its accepts stayed fast, none was refused, and every event completed', async () => {
      const attacked = good.attacked();
      await good.quiet(idleMs);
      const idle = good.idle();
      table.whole({ attacked, idle });
      await good.stop();
      await eventually(
        async () => {
          const { byIdentity, duplicates } = await readCrm(cluster, tenant!.portalId, 'contacts', 'email', 'jobtitle');
          expect([[...good.accepted].filter((name) => !byIdentity.has(name)).length, duplicates]).toEqual([0, []]);
        },
        { timeoutMs: 60_000, everyMs: 500 },
      );
      expect(attacked.refused).toEqual({});
      expect(attacked.p99).toBeLessThan(allowedTimes * idle.p99);
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
