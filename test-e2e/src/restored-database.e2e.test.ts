import { randomUUID } from 'node:crypto';
import {
  describeWithKafka,
  describeWithRedis,
  eventually,
  startKafka,
  testDatabase,
  testRedis,
  type TestDatabase,
} from '@sluice/testkit';
import { call, startCluster, type Cluster, type Tenant } from './support/cluster';
import { sendAll } from './support/sender';
import { shopConfig } from './support/shop-config';
import { readCrm } from './support/verify-crm';

describeWithKafka('a database restored to an earlier state', () => {
  describeWithRedis('under services over real Kafka and Postgres', () => {
    let kafka: Awaited<ReturnType<typeof startKafka>>;
    let database: TestDatabase;
    let cluster: Cluster;
    let tenant: Tenant;

    beforeAll(async () => {
      [kafka, database] = await Promise.all([startKafka(), testDatabase()]);
      cluster = await startCluster(
        { databaseUrl: database.url, redisUrl: testRedis().url, kafkaBrokers: kafka.brokers.join(',') },
        {
          ingest: 1,
          runners: 1,
          env: { SLUICE_RETRY_WAITS: '600,600,600,600' },
        },
      );
      tenant = await cluster.tenant(shopConfig);
    }, 600_000);
    afterAll(async () => {
      await cluster?.stop();
      await Promise.all([kafka?.stop(), database?.drop()]);
    }, 120_000);

    const names = (from: number, count: number): string[] => Array.from({ length: count }, (_, n) => `c${from + n}@shop.test`);
    /** A request of several customers, each on a lane of its own. */
    const send = async (emails: string[], key = emails[0]!): Promise<void> => {
      const entities = emails.map((email) => ({
        type: 'customer',
        externalObjectId: email,
        properties: { email, name: email, version: 1 },
      }));
      await sendAll(
        () => [cluster.ingest[0]!.url],
        tenant.connectorKey,
        [{ key, body: { event: 'customer.changed', entities } }],
        { senders: 1, deadlineMs: 180_000 },
      );
    };
    const customers = async (): Promise<string[]> =>
      [...(await readCrm(cluster, tenant.portalId, 'contacts', 'email', 'jobtitle')).byIdentity.keys()].sort();
    const overview = (): Promise<any> =>
      call(cluster.configApi.url, 'GET', '/operator/overview', undefined, {
        authorization: 'Bearer operator-token-of-the-cluster',
      });
    /** Events are held for ten minutes, and the log is read beyond them. */
    const untilHeld = (count: number): Promise<unknown> => eventually(async () => {
      const { held, lag } = await overview();
      const unread = (lag as { group: string; lag: number }[])
        .filter(({ group }) => group === 'flow-runner')
        .reduce((sum, entry) => sum + entry.lag, 0);
      expect([held, unread]).toEqual([{ retry: count }, 0]);
    }, { timeoutMs: 180_000, everyMs: 500 });
    const ran = (emails: string[]): Promise<unknown> =>
      eventually(async () => expect(await customers()).toEqual(emails.sort()), { timeoutMs: 180_000, everyMs: 500 });
    /** Ten events are held after the database was copied; then the CRM works again. @returns what puts the database back */
    const heldSinceTheCopy = async (from: number): Promise<() => Promise<void>> => {
      await eventually(async () => expect((await overview()).held).toEqual({}), { timeoutMs: 180_000 });
      const putBack = await database.backup();
      await cluster.sim('POST', '/_sim/faults', { path: 'batch', status: 503 });
      await send(names(from, 10));
      await untilHeld(10);
      return putBack;
    };

    it('loses no held event when a new runner finds it', async () => {
      // A publish needs a moment to reach the runner: what comes before finds no flow, so it is sent again.
      await eventually(async () => {
        await send(names(10, 1), randomUUID());
        expect(await customers()).toEqual(names(10, 1));
      }, { timeoutMs: 180_000, everyMs: 1_000 });
      const putBack = await heldSinceTheCopy(20);
      await cluster.runners.splice(0)[0]!.stop();
      await putBack();
      await cluster.sim('DELETE', '/_sim/faults');
      await cluster.startRunner();
      await ran([...names(10, 1), ...names(20, 10)]);
    }, 600_000);

    it('loses no held event while a runner keeps running', async () => {
      const putBack = await heldSinceTheCopy(40);
      await putBack();
      await cluster.sim('DELETE', '/_sim/faults');
      await ran([...names(10, 1), ...names(20, 10), ...names(40, 10)]);
    }, 600_000);
  });
});
