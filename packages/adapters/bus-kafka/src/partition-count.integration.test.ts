import { randomUUID } from 'node:crypto';
import type { EventBus } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { describeWithKafka, testKafka } from '@sluice/testkit';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { createKafkaBus } from './create-kafka-bus';

const message = { key: 'k', value: Buffer.from('v') };

/** Another client changes the partition count of a topic that is in use. */
describeWithKafka('the bus on Kafka, when the partitions of a topic change', () => {
  let brokers: string[];
  let admin: Admin;
  let bus: EventBus;
  beforeAll(async () => {
    ({ brokers } = await testKafka());
    admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  });
  beforeEach(() => void (bus = createKafkaBus({ brokers, clientId: 'counts', requestTimeoutMs: 2_000 })));
  afterEach(() => bus.close());
  afterAll(() => admin.disconnect());

  const settings = (partitions: number) => ({
    name: `counts-${randomUUID()}`,
    partitions,
    cleanup: 'delete' as const,
    retentionMs: 3_600_000,
  });
  /** The end of each partition's log, by the partition's id: a broker lists partitions in any order. */
  const endsOf = async (topic: string): Promise<Record<number, number>> =>
    Object.fromEntries((await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, Number(high)]));
  const recreate = async (name: string, partitions: number): Promise<void> => {
    await admin.deleteTopics({ topics: [name] });
    await until('the topic to be gone', async () => !(await admin.listTopics()).includes(name));
    // The client's own wait for leaders throws while a broker does not know the topic yet.
    await admin.createTopics({
      waitForLeaders: false,
      topics: [{ topic: name, numPartitions: partitions, replicationFactor: 1 }],
    });
    await until('the new topic', async () => Object.keys(await endsOf(name).catch(() => ({}))).length === partitions);
  };

  it('acknowledges nothing for a partition that was removed', async () => {
    const topic = settings(3);
    await bus.ensureTopics([topic]);
    for (const partition of [0, 1, 2]) expect(await bus.publish(topic.name, partition, [message])).toEqual({ ok: true });
    await recreate(topic.name, 1);
    for (let turn = 0; turn < 3; turn += 1) expect(await bus.publish(topic.name, 2, [message])).toMatchObject({ ok: false });
    const [gone, there] = await Promise.all([bus.publish(topic.name, 1, [message]), bus.publish(topic.name, 0, [message])]);
    expect([gone.ok, there.ok]).toEqual([false, true]);
    expect(await endsOf(topic.name)).toEqual({ 0: 1 });
    // Its metadata is up to date now: there is no such partition, so no message can be in it.
    expect(await bus.partitions(topic.name)).toBe(1);
    expect(await bus.publish(topic.name, 2, [message])).toMatchObject({
      ok: false,
      outcome: 'refused',
      message: expect.stringContaining('no partition 2'),
    });
  });

  it('accepts messages for a partition that was added', async () => {
    const topic = settings(1);
    await bus.ensureTopics([topic]);
    await admin.createPartitions({ topicPartitions: [{ topic: topic.name, count: 3 }] });
    await until('the new count', async () => (await bus.partitions(topic.name)) === 3);
    await until('an answer', async () => (await bus.publish(topic.name, 2, [message])).ok);
    // An earlier publish with an unknown outcome may also be in the log, so there may be more than one message.
    await until('the message in the log', async () => ((await endsOf(topic.name))[2] ?? 0) >= 1);
  });
});
