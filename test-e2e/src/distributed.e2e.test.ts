import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApiClient, signIn } from '@sluice/api-client';
import { describeWithKafka, describeWithRedis, eventually, startKafka, startPostgres, startRedis } from '@sluice/testkit';
import { runSourceKills } from './chaos/sources/run-source-kills';
import { sourceTimings } from './chaos/sources/source-stack';
import { call, operatorHeaders, startCluster, type Cluster, type Tenant } from './support/cluster';
import { sendAll, untilAllEnded, type Outgoing } from './support/sender';
import { shopConfig } from './support/shop-config';
import { readCrm } from './support/verify-crm';

const customers = 320;
const rounds = 10;
const orders = 1_800;
/** Far more than a runner needs to come to its end, on two cores that run all tests too. */
const aliveAfterMs = 300_000;

/** Customers as `entities` requests of 40, in rounds: the n-th round has version n. Then orders of the same customers. */
function workload(round: number): Outgoing[] {
  const requests: Outgoing[] = [];
  for (let start = 0; start < customers; start += 40) {
    requests.push({
      key: `customers-${round}-${start}`,
      body: {
        event: 'customer.changed',
        entities: Array.from({ length: 40 }, (_, index) => ({
          type: 'customer', externalObjectId: `c${start + index}@shop.test`,
          properties: { email: `c${start + index}@shop.test`, name: `Customer ${start + index}`, version: round },
        })),
      },
    });
  }
  for (let index = 0; index < orders / rounds; index += 1) {
    const number = `N${(round * 37 + index * 7) % 400}`;
    requests.push({
      key: `order-${round}-${index}`,
      body: {
        event: 'order.placed',
        data: {
          number,
          title: `Order ${number}`,
          stage: 'appointmentscheduled',
          version: round,
          customer: { email: `c${index % customers}@shop.test` },
        },
      },
    });
  }
  return requests;
}

describeWithKafka('every service in its own process', () => {
  describeWithRedis('over real Kafka, Redis and Postgres', () => {
    let kafka: Awaited<ReturnType<typeof startKafka>>;
    let redis: Awaited<ReturnType<typeof startRedis>>;
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let cluster: Cluster;
    let tenant: Tenant;

    beforeAll(async () => {
      [kafka, redis, postgres] = await Promise.all([startKafka(), startRedis(), startPostgres()]);
      cluster = await startCluster(
        { databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, kafkaBrokers: kafka.brokers.join(',') },
        {
          ingest: 2,
          runners: 2,
          pollers: 2,
          env: { SLUICE_RETRY_WAITS: '1,2,3,4', SLUICE_SEARCH_LAG: '18', SLUICE_WIDTH_LEAD: '4', ...sourceTimings },
        },
      );
      tenant = await cluster.tenant(shopConfig);
      await cluster.sim('PATCH', `/_sim/portals/${tenant.portalId}`, { search_lag_ms: 15_000 });
    }, 600_000);
    afterAll(async () => {
      await cluster?.stop();
      await Promise.all([kafka?.stop(), redis?.stop(), postgres?.stop()]);
    }, 120_000);

    const bases = (): string[] => cluster.ingest.map((service) => service.url);
    const order = (number: string): Outgoing => ({
      key: number,
      body: {
        event: 'order.placed',
        data: {
          number,
          title: `Order ${number}`,
          stage: 'appointmentscheduled',
          version: 1,
          customer: { email: `${number}@shop.test` },
        },
      },
    });
    const send = (numbers: string[]): ReturnType<typeof sendAll> =>
      sendAll(bases, tenant.connectorKey, numbers.map(order), { senders: 2, deadlineMs: 180_000 });

    /**
     * Starts a runner that dies at a place in its code, and stops the others. `end`: how it ended, or that it is alive long
     * after it should have died.
     */
    const onlyRunner = async (failpoint: string): Promise<{ end: Promise<string> }> => {
      const others = cluster.runners.splice(0);
      const doomed = await cluster.startRunner({ SLUICE_FAILPOINT: failpoint });
      await Promise.all(others.map((runner) => runner.stop()));
      return { end: Promise.race([doomed.ended, sleep(aliveAfterMs, 'alive', { ref: false })]) };
    };

    it('loses nothing, duplicates nothing and keeps order while runners are killed and the broker restarts', async () => {
      // Each is the only runner when it dies at its own place in the code; two others then take its partitions over.
      const deaths = ['after_claim:2', 'after_crm_write:5', 'after_outcome:5', 'after_hold:1', 'before_commit:3'];
      const accepted = [];
      await cluster.sim('POST', '/_sim/faults', {
        portal_id: Number(tenant.portalId),
        method: 'POST',
        path: 'batch',
        status: 503,
        probability: 0.03,
      });
      for (let round = 1; round <= rounds; round += 1) {
        const death = round % 2 === 1 ? deaths[(round - 1) / 2] : undefined;
        const dying = death ? await onlyRunner(death) : undefined;
        if (death?.startsWith('after_hold'))
          await cluster.sim('POST', '/_sim/faults', {
            portal_id: Number(tenant.portalId),
            method: 'POST',
            path: 'batch',
            status: 503,
            times: 1,
          });
        if (round === 4) await cluster.runners.at(-1)!.kill();
        if (round === 6) await kafka.kill();
        // A customers event that failed writes nothing over a newer order (superseded). In the last round no call fails.
        if (round === rounds) await cluster.sim('DELETE', '/_sim/faults');
        const sending = sendAll(bases, tenant.connectorKey, workload(round), { senders: 1, deadlineMs: 300_000 });
        if (round === 6) await kafka.restart();
        accepted.push(...(await sending));
        if (dying) {
          expect(`${death}: ${await dying.end}`).toBe(`${death}: SIGKILL`);
          await Promise.all([cluster.startRunner(), cluster.startRunner()]);
        }
      }
      const counts = await untilAllEnded(cluster.ingest[0]!.url, tenant.connectorKey, accepted, 480_000);
      // Orders write the contacts of their customers: a customers event that ran again after all of them is superseded.
      const { completed = 0, superseded = 0, ...others } = counts;
      expect([completed + superseded, others]).toEqual([accepted.length, {}]);

      const people = await readCrm(cluster, tenant.portalId, 'contacts', 'email', 'jobtitle');
      const deals = await readCrm(cluster, tenant.portalId, 'deals', 'description', 'amount');
      expect([people.duplicates, people.outOfOrder, deals.duplicates, deals.outOfOrder]).toEqual([[], [], [], []]);
      expect(people.records).toBe(customers);
      expect([...people.byIdentity.values()].every((record) => record.properties['jobtitle'] === String(rounds))).toBe(true);
      const numbers = new Set(
        accepted.length
          ? Array.from({ length: rounds }, (_, round) => workload(round + 1))
              .flat()
              .map((request) => (request.body as { data?: { number: string } }).data?.number)
              .filter(Boolean)
          : [],
      );
      expect(new Set(deals.byIdentity.keys())).toEqual(numbers);
      expect([...deals.byIdentity.values()].every((deal) => deal.associations.length > 0)).toBe(true);
      process.stdout.write(
        `distributed: ${accepted.length} requests, written again after crashes: ${people.writtenAgain + deals.writtenAgain}\n`,
      );
    }, 900_000);

    it('accepts and processes without Redis', async () => {
      await redis.kill();
      const accepted = await send(['R1', 'R2', 'R3']);
      expect(await untilAllEnded(cluster.ingest[0]!.url, tenant.connectorKey, accepted, 180_000)).toEqual({ completed: 3 });
      await redis.restart();
    }, 400_000);

    it('accepts without Postgres, and catches up; services that start meanwhile accept too', async () => {
      await postgres.kill();
      const accepted = await send(['P1', 'P2', 'P3', 'P4']);
      expect(accepted).toHaveLength(4);
      const [late] = await Promise.all([cluster.startIngest(), cluster.startRunner({}, '/livez')]);
      const options = { senders: 1, deadlineMs: 180_000 };
      accepted.push(...(await sendAll(() => [late.url], tenant.connectorKey, [order('P5')], options)));
      await postgres.restart();
      expect(await untilAllEnded(cluster.ingest[0]!.url, tenant.connectorKey, accepted, 180_000)).toEqual({ completed: 5 });
    }, 600_000);

    it('answers 503 while Kafka is down, and no refused event is partly accepted', async () => {
      await kafka.kill();
      const refused: string[] = [];
      await eventually(async () => {
        const number = `K${refused.length}x${Date.now()}`;
        const response = await fetch(`${cluster.ingest[0]!.url}/api/v1/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': tenant.connectorKey },
          body: JSON.stringify(order(number).body),
        });
        // A send that was under way when the broker died has an unknown outcome, and says so (502).
        expect([502, 503]).toContain(response.status);
        if (response.status === 503) refused.push(number);
        expect(refused.length).toBeGreaterThanOrEqual(3);
      }, { timeoutMs: 180_000, everyMs: 50 });
      await kafka.restart();
      const accepted = await send(['KB']);
      expect(await untilAllEnded(cluster.ingest[0]!.url, tenant.connectorKey, accepted, 180_000)).toEqual({ completed: 1 });
      const deals = await readCrm(cluster, tenant.portalId, 'deals', 'description', 'amount');
      expect(refused.filter((number) => deals.byIdentity.has(number))).toEqual([]);
    }, 600_000);

    it('brings a refused record into the CRM by a replay', async () => {
      const { portalId, connectorId, connectorKey, email, password } = tenant;
      // A refused search would leave a pending claim.
      const create = { portal_id: Number(portalId), method: 'POST', path: 'objects/deals/batch/create' };
      await cluster.sim('POST', '/_sim/faults', { ...create, body_contains: 'RP1', status: 400 });
      const accepted = await send(['RP1']);
      const { eventId } = accepted[0]!;
      const ended = (): Promise<Record<string, number>> => untilAllEnded(cluster.ingest[0]!.url, connectorKey, accepted, 180_000);
      // Its customer is written, its order is not.
      expect(await ended()).toEqual({ partial_failure: 1 });
      await cluster.sim('DELETE', '/_sim/faults');

      const { url: baseUrl } = cluster.configApi;
      const owner = createApiClient({ baseUrl, headers: bearer(await signIn(baseUrl, { email, password })) });
      const params = { connector_id: connectorId };
      const { items } = await owner.listSyncEvents({ params, query: { event_id: eventId } });
      expect(items).toMatchObject([{ status: 'partial_success', replayable: true }]);
      const asked = { params: { ...params, sync_event_id: items[0]!.id } };
      expect(await owner.replaySyncEvent(asked)).toMatchObject({ event_id: eventId, status: 'processing' });
      await eventually(async () => expect(await ended()).toEqual({ completed: 1 }), { timeoutMs: 180_000, everyMs: 250 });
      await expect(owner.replaySyncEvent(asked)).rejects.toMatchObject({ status: 409 });
      const deals = await readCrm(cluster, portalId, 'deals', 'description', 'amount');
      expect([deals.byIdentity.has('RP1'), deals.duplicates]).toEqual([true, []]);
    }, 600_000);

    it('raises the width of a connector while its events are in flight: each record keeps its order', async () => {
      const { connectorId, connectorKey, portalId } = tenant;
      const batch = (round: number): Outgoing => ({
        key: `wide-${round}`,
        body: {
          event: 'customer.changed',
          entities: Array.from({ length: 40 }, (_, index) => ({
            type: 'customer', externalObjectId: `w${index}@shop.test`,
            properties: { email: `w${index}@shop.test`, name: `Customer ${index}`, version: round },
          })),
        },
      });
      // Events of the old width wait for their second attempt when the first ones of the new width come.
      await cluster.sim('POST', '/_sim/faults', {
        portal_id: Number(portalId), method: 'POST', path: 'contacts/batch', status: 503, probability: 0.3,
      });
      const put = `/operator/connectors/${connectorId}/width`;
      let [round, effectiveAt] = [0, Infinity];
      const accepted = [];
      // Twenty rounds before the raise, then on until well behind its beginning.
      while (Date.now() < effectiveAt + 3_000) {
        round += 1;
        accepted.push(...(await sendAll(bases, connectorKey, [batch(round)], { senders: 1, deadlineMs: 180_000 })));
        if (round === 20) {
          const raised = await call(cluster.configApi.url, 'PUT', put, { width: 8 }, operatorHeaders);
          expect(raised).toMatchObject({ connector_id: connectorId, width: 8, width_before: 1 });
          effectiveAt = Date.parse(raised.effective_at);
        }
        await sleep(50);
      }
      await cluster.sim('DELETE', '/_sim/faults');
      const ends = await untilAllEnded(cluster.ingest[0]!.url, connectorKey, accepted, 300_000);
      expect(ends).toEqual({ completed: accepted.length });
      const people = await readCrm(cluster, portalId, 'contacts', 'email', 'jobtitle');
      expect([people.duplicates, people.outOfOrder]).toEqual([[], []]);
      const versions = Array.from({ length: 40 }, (_, index) =>
        people.byIdentity.get(`w${index}@shop.test`)?.properties['jobtitle']);
      expect(versions).toEqual(versions.map(() => String(round)));
    }, 600_000);

    it('misses no change of the journal and no poll while journal-pollers are killed, and makes no second record', async () => {
      const size = { changes: 1_000, polls: 50, kills: 3, seed: 21, arrivedWithinMs: 300_000 };
      const { duplicates, items, missed, others, polls } = await runSourceKills(cluster, size, () => undefined);
      expect({ duplicates, missed, others }).toEqual({ duplicates: [], missed: [], others: [] });
      expect([polls >= 50, items >= 100]).toEqual([true, true]);
    }, 900_000);

    it('shows its own state to an operator', async () => {
      const overview = await call(cluster.configApi.url, 'GET', '/operator/overview', undefined, {
        authorization: 'Bearer operator-token-of-the-cluster',
      });
      expect(
        overview.lag.some(
          (entry: { group: string; topic: string }) => entry.group === 'flow-runner' && entry.topic === 'events.inbound',
        ),
      ).toBe(true);
      expect(overview.held).toEqual({});
    });
  });
});
