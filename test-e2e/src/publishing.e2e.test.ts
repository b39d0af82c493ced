import { setTimeout as sleep } from 'node:timers/promises';
import { bearer } from '@sluice/api-client';
import {
  describeWithKafka, describeWithRedis, eventually, startKafka, testDatabase, testRedis, type TestDatabase,
} from '@sluice/testkit';
import { call, startCluster, type Cluster, type Tenant } from './support/cluster';
import { type Accepted, sendAll, untilAllEnded } from './support/sender';
import { shopConfig } from './support/shop-config';
import { readCrm } from './support/verify-crm';

/** The shop, with the version of a customer in another property. */
function shopWritingTo(property: string): typeof shopConfig {
  const text = JSON.stringify(shopConfig).replaceAll('"jobtitle"', JSON.stringify(property));
  return JSON.parse(text) as typeof shopConfig;
}

describeWithKafka('a version that is published while events are sent', () => {
  describeWithRedis('to two runners over real Kafka and Postgres', () => {
    let kafka: Awaited<ReturnType<typeof startKafka>>;
    let database: TestDatabase;
    let cluster: Cluster;
    let tenant: Tenant;
    beforeAll(async () => {
      [kafka, database] = await Promise.all([startKafka(), testDatabase()]);
      const parts = { databaseUrl: database.url, redisUrl: testRedis().url, kafkaBrokers: kafka.brokers.join(',') };
      cluster = await startCluster(parts, { ingest: 1, runners: 2 });
      tenant = await cluster.tenant(shopConfig);
    }, 600_000);
    afterAll(async () => {
      await cluster?.stop();
      await Promise.all([kafka?.stop(), database?.drop()]);
    }, 120_000);

    const accepted: Accepted[] = [];
    let sent = 0;
    /** A request of twelve customers, each on a lane of its own. @returns their addresses */
    const send = async (): Promise<string[]> => {
      sent += 1;
      const emails = Array.from({ length: 12 }, (_, index) => `c${sent}-${index}@shop.test`);
      const entities = emails.map((email) => ({
        type: 'customer', externalObjectId: email, properties: { email, name: email, version: 1 },
      }));
      const requests = [{ key: `request-${sent}`, body: { event: 'customer.changed', entities } }];
      const bases = (): string[] => [cluster.ingest[0]!.url];
      accepted.push(...(await sendAll(bases, tenant.connectorKey, requests, { senders: 1, deadlineMs: 180_000 })));
      return emails;
    };
    /** Under which version each address was written. */
    const versions = async (): Promise<Map<string, number[]>> => {
      const { byIdentity } = await readCrm(cluster, tenant.portalId, 'contacts', 'email', 'jobtitle');
      const has = (value: string | null | undefined): boolean => value !== null && value !== undefined;
      return new Map([...byIdentity].map(([email, { properties }]) => [
        email, [has(properties.jobtitle) ? [1] : [], has(properties.mobilephone) ? [2] : []].flat(),
      ]));
    };
    const writtenUnder = async (emails: string[]): Promise<number[]> => {
      const found = await eventually(async () => {
        const all = await versions();
        expect(emails.filter((email) => !all.get(email)?.length)).toEqual([]);
        return all;
      }, { timeoutMs: 180_000, everyMs: 100 });
      return [...new Set(emails.flatMap((email) => found.get(email)!))];
    };

    it('runs everywhere soon, and no event is lost or run twice between the two', async () => {
      // The first version needs a moment to reach the runners: what comes before finds no flow.
      await eventually(async () => {
        const probe = await send();
        const isThere = async () => expect((await versions()).get(probe[0]!)).toEqual([1]);
        await eventually(isThere, { timeoutMs: 5_000, everyMs: 100 });
      }, { timeoutMs: 180_000, everyMs: 100 });
      accepted.splice(0);
      const first = sent;
      let stopped = false;
      const stream = (async () => { while (!stopped) { await send(); await sleep(20); } })();
      const [path, auth] = [`/api/connectors/${tenant.connectorId}`, bearer(tenant.sessionToken)];
      await call(cluster.configApi.url, 'PUT', `${path}/draft`, shopWritingTo('mobilephone'), auth);
      const { version } = await call(cluster.configApi.url, 'POST', `${path}/publish`, {}, auth);
      const publishedAt = Date.now();
      expect(version).toBe(2);
      await eventually(async () => expect(await writtenUnder(await send())).toEqual([2]), { timeoutMs: 180_000, everyMs: 1 });
      process.stdout.write(`the new version was running on every runner ${Date.now() - publishedAt} ms after its publish\n`);
      // Once a runner has run it, it runs no older one.
      for (let again = 0; again < 5; again += 1) expect(await writtenUnder(await send())).toEqual([2]);
      stopped = true;
      await stream;
      const ends = await untilAllEnded(cluster.ingest[0]!.url, tenant.connectorKey, accepted, 180_000);
      expect(ends).toEqual({ completed: accepted.length });
      const counted = [...(await versions())].filter(([email]) => Number(/^c(\d+)-/.exec(email)![1]) > first);
      expect(counted).toHaveLength(12 * (sent - first));
      const runs = counted.map(([, under]) => under);
      expect(runs.filter((under) => under.length !== 1)).toEqual([]);
      expect(new Set(runs.flat())).toEqual(new Set([1, 2]));
    }, 600_000);
  });
});
