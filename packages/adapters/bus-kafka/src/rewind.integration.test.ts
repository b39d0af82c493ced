import type { EventBus } from '@sluice/ports';
import { record, texts, until } from '@sluice/ports/testing';
import { describeWithKafka, testKafka } from '@sluice/testkit';
import { createKafkaBus } from './create-kafka-bus';
import { createKafkaClient } from './client/kafka-client';

describeWithKafka('reading a partition of a real Kafka again', () => {
  let bus: EventBus;
  let brokers: readonly string[];
  beforeAll(async () => {
    ({ brokers } = await testKafka());
    bus = createKafkaBus({ brokers, clientId: 'rewind' });
  });
  afterAll(() => bus.close());

  const shorten = async (topic: string, offset: string): Promise<void> => {
    const client = createKafkaClient({ brokers, clientId: 'rewind' }, 5_000);
    const admin = client.kafka.admin();
    await admin.connect();
    await admin.fetchTopicMetadata({ topics: [topic] });
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset }] });
    await admin.disconnect();
  };

  it('continues at the start of the log where the offset is no longer kept', async () => {
    const topic = 'rewind-below-the-start';
    await bus.ensureTopics([{ name: topic, partitions: 1, cleanup: 'delete', retentionMs: 3_600_000 }]);
    await bus.publish(topic, 0, texts('m', 10));
    const member = await record(bus, { topic, group: 'g' });
    await until('all', () => member.messages.length === 10);
    await shorten(topic, '6');
    member.subscription.rewind(0, 2n);
    await until('what is left', () => member.messages.length >= 14);
    expect(member.values().slice(10)).toEqual(['m6', 'm7', 'm8', 'm9']);
    await bus.publish(topic, 0, texts('new', 1));
    await until('the new one', () => member.values().includes('new0'));
    expect(member.messages).toHaveLength(15);
  });

  it('continues at the start of the log where its end was lost, also for a running member', async () => {
    const topic = 'rewind-beyond-the-end';
    await bus.ensureTopics([{ name: topic, partitions: 1, cleanup: 'delete', retentionMs: 3_600_000 }]);
    await bus.publish(topic, 0, texts('m', 10));
    const member = await record(bus, { topic, group: 'g' });
    await until('all', () => member.messages.length === 10);
    // No broker of a test loses its log: its members are told of messages that it never had.
    member.subscription.rewind(0, 25n);
    await bus.publish(topic, 0, texts('new', 2));
    await until('all again', () => member.messages.length === 22, 30_000);
    expect(member.messages.slice(10).map(({ offset }) => Number(offset))).toEqual(Array.from({ length: 12 }, (_, n) => n));
    await member.subscription.commit([{ partition: 0, next: 40n }]);
    await member.subscription.stop();
    const next = await record(bus, { topic, group: 'g' });
    await until('all for the next member', () => next.messages.length === 12, 30_000);
  });
});
