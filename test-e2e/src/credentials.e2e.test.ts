import { bearer } from '@sluice/api-client';
import {
  describeWithKafka, describeWithRedis, eventually, startDestination, startKafka, testDatabase, testRedis, type TestDatabase,
  type TestDestination,
} from '@sluice/testkit';
import { Client } from 'pg';
import { call, startCluster, type Cluster, type Tenant } from './support/cluster';
import { startRecordingProxy, type RecordingProxy } from './support/recording-proxy';
import { type Accepted, sendAll, untilAllEnded } from './support/sender';
import { shopConfig } from './support/shop-config';

/** From the answer of its PUT on, after this time every attempt that starts uses a credential's new value. */
const usedWithinMs = 2_000;

describeWithKafka('the new value of a credential', () => {
  describeWithRedis('that two runners use, over real Kafka and Postgres', () => {
    let kafka: Awaited<ReturnType<typeof startKafka>>;
    let database: TestDatabase;
    let erp: TestDestination;
    let crm: RecordingProxy;
    let cluster: Cluster;
    let tenant: Tenant;
    const api = (method: string, path: string, body?: unknown) =>
      call(cluster.configApi.url, method, path, body, bearer(tenant.sessionToken));
    const sql = async (text: string): Promise<Record<string, unknown>[]> => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        return (await client.query(text)).rows as Record<string, unknown>[];
      } finally {
        await client.end();
      }
    };
    /** Each customer is told to the ERP when it is written. */
    const telling = () => {
      const [customers, ...others] = shopConfig.flows;
      const tell = { id: 'tell', action: 'post', target: 'erp', url: '/customers', body: { email: '$.payload.email' } };
      const source = { name: 'erp', type: 'rest', config: { base_url: erp.url, credential_name: 'erp' } };
      const flows = [{ ...customers, steps: [...customers!.steps, tell] }, ...others];
      return { ...shopConfig, flows, sources: [...shopConfig.sources, source] };
    };

    beforeAll(async () => {
      [kafka, database, erp, crm] = await Promise.all([startKafka(), testDatabase(), startDestination(), startRecordingProxy()]);
      const parts = { databaseUrl: database.url, redisUrl: testRedis().url, kafkaBrokers: kafka.brokers.join(',') };
      const env = { SLUICE_CRM_BASE_URL: crm.url, SLUICE_ALLOW_PRIVATE_TARGETS: 'on' };
      cluster = await startCluster(parts, { ingest: 1, runners: 2, env });
      crm.to(cluster.crmUrl);
      tenant = await cluster.tenant(shopConfig);
    }, 600_000);
    afterAll(async () => {
      await cluster?.stop();
      await Promise.all([kafka?.stop(), database?.drop(), erp?.stop(), crm?.stop()]);
    }, 120_000);

    let sent = 0;
    /** Customers on all partitions, sent and ended. @returns with which credentials they came to the ERP and to the CRM */
    const send = async (): Promise<{ atErp: string[]; atCrm: string[] }> => {
      sent += 1;
      const emails = Array.from({ length: 96 }, (_, index) => `c${sent}-${index}@shop.test`);
      const entities = emails.map((email) => ({
        type: 'customer', externalObjectId: email, properties: { email, name: email, version: 1 },
      }));
      const requests = [{ key: `request-${sent}`, body: { event: 'customer.changed', entities } }];
      const accepted: Accepted[] = await sendAll(() => [cluster.ingest[0]!.url], tenant.connectorKey, requests, {
        senders: 1, deadlineMs: 180_000,
      });
      const ends = await untilAllEnded(cluster.ingest[0]!.url, tenant.connectorKey, accepted, 180_000);
      expect(ends).toEqual({ completed: 1 });
      const mine = (text: string): boolean => text.includes(`"c${sent}-`);
      const atErp = erp.received.filter(({ body }) => mine(JSON.stringify(body)));
      const atCrm = crm.passed.filter(({ path, body }) => path.includes('/batch/') && mine(body));
      expect(atErp).toHaveLength(emails.length);
      return {
        atErp: [...new Set(atErp.map(({ headers }) => String(headers['x-api-key'])))],
        atCrm: [...new Set(atCrm.map(({ authorization }) => authorization))],
      };
    };

    it('is used by all attempts that start two seconds after the answer of its PUT, in each of them', async () => {
      const { id: erpId } = await api('POST', '/api/credentials', {
        name: 'erp', credential_type: 'api_key', data: { value: 'the-old-key-of-the-erp' },
      });
      await sql('UPDATE connectors SET width = 24');
      await api('PUT', `/api/connectors/${tenant.connectorId}/draft`, telling());
      await api('POST', `/api/connectors/${tenant.connectorId}/publish`, {});
      // The version needs a moment to reach the runners: what comes before is not told to the ERP.
      const before = await eventually(send, { timeoutMs: 180_000, everyMs: 100 });
      expect(before.atErp).toEqual(['the-old-key-of-the-erp']);
      expect(before.atCrm).toHaveLength(1);
      const owners = await sql("SELECT DISTINCT owner FROM partition_owners WHERE topic = 'events.inbound' AND released_at IS NULL");
      expect(owners).toHaveLength(2);

      const { credential_id: portalCredential } = await api('GET', `/api/connectors/${tenant.connectorId}`);
      const token = `sim-access-${tenant.portalId}`;
      expect(before.atCrm).not.toContain(`Bearer ${token}`);
      await api('PUT', `/api/credentials/${erpId}`, { data: { value: 'the-new-key-of-the-erp' } });
      await api('PUT', `/api/credentials/${portalCredential}`, { data: { access_token: token } });
      // Attempts between keep what the runners know in use.
      const answeredAt = Date.now();
      while (Date.now() - answeredAt < usedWithinMs) await send();
      for (let again = 0; again < 3; again += 1)
        expect(await send()).toEqual({ atErp: ['the-new-key-of-the-erp'], atCrm: [`Bearer ${token}`] });
    }, 600_000);
  });
});
