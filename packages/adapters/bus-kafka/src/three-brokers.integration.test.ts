import { connect, Socket } from 'node:net';
import type { EventBus, PublishResult } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { describeWithKafka, startKafkaCluster, type TestKafkaCluster } from '@sluice/testkit';
import { type Admin, ConfigResourceTypes, type ISocketFactory, Kafka, logLevel } from 'kafkajs';
import { createKafkaBus } from './create-kafka-bus';
import type { KafkaBusOptions } from './client/kafka-bus-options';
import { compareWithLog, publishLoad, text } from './test-support/publish-load';

const nodes = [1, 2, 3];
const partitions = [0, 1, 2, 3, 4, 5];

/** The acks of a produce request, versions 3 to 7, behind its length; undefined for anything else. */
function acksOf(data: Buffer): number | undefined {
  if (data.length < 16 || data.readInt16BE(4) !== 0 || data.readInt32BE(0) !== data.length - 4) return undefined;
  const clientId = data.readInt16BE(12);
  // Behind the client's name stands the transaction's, which is absent: its length is -1.
  return data.readInt16BE(14 + Math.max(0, clientId) + 2);
}

/** One cluster for all: starting it costs more than the tests. */
describeWithKafka('the bus on three brokers', () => {
  let cluster: TestKafkaCluster;
  let admin: Admin;
  let buses: EventBus[] = [];
  let topics = 0;
  beforeAll(async () => {
    cluster = await startKafkaCluster();
    admin = new Kafka({ brokers: cluster.direct, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  }, 300_000);
  afterEach(async () => {
    for (const node of nodes) cluster.broker(node).proxy.heal();
    await Promise.all(buses.map((bus) => bus.close()));
    buses = [];
  });
  afterAll(async () => {
    await admin.disconnect();
    await cluster.stop();
  });

  const open = (options: Partial<KafkaBusOptions> = {}): EventBus => {
    const bus = createKafkaBus({ brokers: cluster.proxied, clientId: 'three', ...options });
    buses.push(bus);
    return bus;
  };
  const metadata = async (topic: string) => (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]!.partitions;
  const ledBy = async (topic: string, node: number): Promise<number[]> =>
    (await metadata(topic)).filter(({ leader }) => leader === node).map(({ partitionId }) => partitionId);
  const makeTopic = async (bus: EventBus): Promise<string> => {
    const name = `three-${(topics += 1)}`;
    await bus.ensureTopics([{ name, partitions: partitions.length, cleanup: 'delete', retentionMs: 3_600_000 }]);
    await until('leaders on all brokers', async () =>
      (await Promise.all(nodes.map((node) => ledBy(name, node)))).every(({ length }) => length === 2),
    );
    return name;
  };
  const inSync = (topic: string): Promise<void> =>
    until('all replicas to be in sync', async () => (await metadata(topic)).every(({ isr }) => isr.length === 3), 60_000);
  const contents = async (topic: string): Promise<Set<string>> => {
    const found = new Set<string>();
    const follower = await open({ brokers: cluster.direct }).follow({
      topic,
      onMessages: (messages) => messages.forEach(({ value }) => found.add(String(value))),
    });
    await follower.caughtUp;
    return found;
  };
  const wrong = async (topic: string, results: ReadonlyMap<string, PublishResult>): Promise<string[]> =>
    compareWithLog(results, await contents(topic)).wrong;

  it('keeps three copies of everything, acknowledges with two of them, and requests all', async () => {
    const bus = open();
    const topic = await makeTopic(bus);
    const acks: number[] = [];
    for (const node of nodes) cluster.broker(node).proxy.filter((direction, data) => {
      const value = direction === 'toServer' ? acksOf(data) : undefined;
      if (value !== undefined) acks.push(value);
      return 'pass';
    });
    for (const partition of partitions) expect(await bus.publish(topic, partition, [text(`${partition}`)])).toEqual({ ok: true });
    expect(acks).toEqual(partitions.map(() => -1));
    expect((await metadata(topic)).map(({ replicas }) => replicas.length)).toEqual(partitions.map(() => 3));
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: ['min.insync.replicas'] }],
    });
    expect(resources[0]?.configEntries).toMatchObject([{ configName: 'min.insync.replicas', configValue: '2' }]);
  });

  it.each(['cut', 'blackhole'] as const)(
    'continues with the partitions of the others when one broker cannot be reached (%s)',
    async (fault) => {
      const bus = open({ requestTimeoutMs: 4_000, publishMaxAgeMs: 1_000 });
      const topic = await makeTopic(bus);
      for (const partition of partitions)
        expect(await bus.publish(topic, partition, [text(`before ${partition}`)])).toEqual({ ok: true });
      const results = new Map<string, PublishResult>();
      const dead = await ledBy(topic, 2);
      const healthy = partitions.filter((partition) => !dead.includes(partition));
      cluster.broker(2).proxy[fault]();
      const publish = async (partition: number, turn: number): Promise<PublishResult> => {
        const value = `${partition}:${turn}`;
        const result = await bus.publish(topic, partition, [text(value)]);
        results.set(value, result);
        return result;
      };
      // Partitions of the dead broker always have requests under way beside the others.
      let over = false;
      const beside = dead.map(async (partition) => {
        for (let turn = 0; !over; turn += 1) await publish(partition, turn);
      });
      for (let turn = 0; turn < 60; turn += 1) {
        expect(await Promise.all(healthy.map((partition) => publish(partition, turn)))).toEqual(
          healthy.map(() => ({ ok: true })),
        );
      }
      await until('answers for the others', () => dead.every((partition) => results.has(`${partition}:0`)));
      expect(bus.healthy()).toBe(true);
      cluster.broker(2).proxy.heal();
      await until('all of it to go on', () =>
        dead.every((partition) => [...results].some(([value, { ok }]) => ok && value.startsWith(`${partition}:`))),
      );
      over = true;
      await Promise.all(beside);
      expect(await wrong(topic, results)).toEqual([]);
    },
    120_000,
  );

  it('answers correctly while leaders move, and continues', async () => {
    const bus = open();
    const topic = await makeTopic(bus);
    const load = publishLoad(bus, topic, partitions, 4);
    const moveOn = async (what: string): Promise<void> => {
      const before = partitions.map(load.acknowledged);
      await until(
        `answers ${what}`,
        () => partitions.every((partition) => load.acknowledged(partition) > before[partition]! + 20),
        30_000,
      );
    };
    await moveOn('at first');
    // Every replica list begins with another broker: the leader follows.
    const rotated = (await metadata(topic)).map(({ partitionId, replicas }) => ({
      partition: partitionId,
      replicas: [...replicas.slice(1), replicas[0]!],
    }));
    await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment: rotated }] });
    await until(
      'new leaders',
      async () =>
        (await metadata(topic)).every(
          ({ partitionId, leader }) => leader === rotated.find(({ partition }) => partition === partitionId)!.replicas[0],
        ),
      30_000,
    );
    await moveOn('after the move');
    // As in an upgrade of the brokers, one after the other.
    await cluster.broker(1).pause();
    await moveOn('while a broker restarts');
    await cluster.broker(1).restart();
    await inSync(topic);
    await moveOn('in the end');
    await load.stop();
    expect(await wrong(topic, load.results)).toEqual([]);
  }, 240_000);

  it('loses nothing acknowledged and continues when a broker is killed', async () => {
    const bus = open();
    const topic = await makeTopic(bus);
    const load = publishLoad(bus, topic, partitions, 4);
    await until('answers', () => partitions.every((partition) => load.acknowledged(partition) > 20));
    await cluster.broker(3).kill();
    const before = partitions.map(load.acknowledged);
    await until(
      'all partitions to go on with two brokers',
      () => partitions.every((partition) => load.acknowledged(partition) > before[partition]! + 20),
      30_000,
    );
    await load.stop();
    expect(await wrong(topic, load.results)).toEqual([]);
    await cluster.broker(3).restart();
    await inSync(topic);
  }, 240_000);

  /** An admin that talks to the given brokers only. kafkajs takes any broker for the controller, and waits for one that hangs. */
  const adminOf = async (allowed: readonly number[]): Promise<Admin> => {
    const brokers = allowed.map((node) => cluster.direct[node - 1] as string);
    const refused = (): Socket => new Socket().destroy(new Error('not this one'));
    const socketFactory: ISocketFactory = ({ host, port, onConnect }) =>
      brokers.includes(`${host}:${port}`) ? connect({ host, port }, onConnect) : refused();
    const restricted = new Kafka({ brokers, socketFactory, retry: { retries: 0 }, logLevel: logLevel.NOTHING }).admin();
    await restricted.connect();
    return restricted;
  };
  /** A follower is frozen, so that the leader waits for it; meanwhile the partition goes to the other one. */
  const publishAndMove = async (bus: EventBus, frozen: number): Promise<{ result: PublishResult; kept: boolean }> => {
    const topic = await makeTopic(bus);
    const [leader, next] = nodes.filter((node) => node !== frozen) as [number, number];
    const [partition] = (await ledBy(topic, leader)) as [number];
    expect(await bus.publish(topic, partition, [text('before')])).toEqual({ ok: true });
    const mover = await adminOf([leader, next]);
    process.kill(cluster.broker(frozen).pid(), 'SIGSTOP');
    try {
      const publishing = bus.publish(topic, partition, [text('moved')]);
      const move = { topics: [{ topic, partitionAssignment: [{ partition, replicas: [next, frozen] }] }] };
      await Promise.race([
        publishing,
        until(
          'the move',
          () =>
            mover.alterPartitionReassignments(move).then(
              () => true,
              () => false,
            ),
          15_000,
        ),
      ]);
      const result = await publishing;
      process.kill(cluster.broker(frozen).pid(), 'SIGCONT');
      await until(
        'all to be in sync',
        async () => (await metadata(topic)).every(({ isr, replicas }) => isr.length === replicas.length),
        30_000,
      );
      return { result, kept: (await contents(topic)).has('moved') };
    } finally {
      process.kill(cluster.broker(frozen).pid(), 'SIGCONT');
      await mover.disconnect();
    }
  };

  it('does not answer refused for messages that a leader appended before it lost the partition', async () => {
    // No second try: the result is that of the one attempt. The leader waits for longer than the move takes.
    const bus = open({ requestTimeoutMs: 8_000, publishMaxAgeMs: 200 });
    const outcomes: { result: PublishResult; kept: boolean }[] = [];
    // The move comes too late when the frozen broker is the controller: the message is acknowledged. Another broker is the
    // controller the next time, so the same broker is frozen again: freezing the others in turn can follow the controller from
    // broker to broker.
    // Now and then a leader that was moved away lets the request time out.
    const moved = (): boolean => outcomes.some(({ result }) => !result.ok && result.message.includes('NOT_LEADER'));
    for (let turn = 0; turn < 8 && !moved(); turn += 1) outcomes.push(await publishAndMove(bus, 1));
    expect(outcomes.filter(({ result, kept }) => !kept || !(result.ok || result.outcome === 'unknown'))).toEqual([]);
    expect(outcomes.map(({ result }) => (result.ok ? 'acknowledged' : result.message))).toContainEqual(
      expect.stringContaining('NOT_LEADER'),
    );
  }, 180_000);

  it('acknowledges nothing while two of three are down, and answers unknown for messages on the last one', async () => {
    const bus = open({ requestTimeoutMs: 2_000, publishMaxAgeMs: 1_000 });
    const topic = await makeTopic(bus);
    const load = publishLoad(bus, topic, partitions, 2);
    await until('answers', () => partitions.every((partition) => load.acknowledged(partition) > 20));
    await Promise.all([2, 3].map((node) => cluster.broker(node).kill()));
    const answers = new Map(load.results);
    await until(
      'answers of every partition',
      () =>
        partitions.every((partition) =>
          [...load.results].some(([value, { ok }]) => !ok && !answers.has(value) && value.startsWith(`${partition}:`)),
        ),
      30_000,
    );
    await load.stop();
    // The last broker appends to the partitions it leads, and no follower copies them: it answers with a timeout.
    const [led] = await ledBy(topic, 1);
    const alone = await bus.publish(topic, led as number, [text('alone')]);
    expect(alone).toMatchObject({
      ok: false,
      outcome: 'unknown',
      message: expect.stringMatching(/TIMED_OUT|NOT_ENOUGH_REPLICAS|too long/),
    });
    await Promise.all([2, 3].map((node) => cluster.broker(node).restart()));
    await inSync(topic);
    await until(
      'publishing',
      async () =>
        (await Promise.all(partitions.map((partition) => bus.publish(topic, partition, [text('after')])))).every(({ ok }) => ok),
      30_000,
    );
    expect(await wrong(topic, new Map([...load.results, ['alone', alone]]))).toEqual([]);
  }, 240_000);
});
