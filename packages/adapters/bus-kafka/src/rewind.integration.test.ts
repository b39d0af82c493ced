import type { EventBus } from '@sluice/ports';
import { record, texts, until } from '@sluice/ports/testing';
import { describeWithKafka, testKafka } from '@sluice/testkit';
import { createKafkaBus } from './create-kafka-bus';
import { createKafkaClient } from './kafka-client';

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
});
