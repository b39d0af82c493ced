import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { createPlainTopic } from '../plain/create-plain-topic';

const [topic, partitions, perSend] = ['bench.warm-up', 24, 20];

/**
 * Keeps the broker busy with small produces and fetches. Its JVM compiles hot code for its first 20 to 40 s and uses up to a core
 * for that, which a broker in service has behind it.
 */
export async function warmBroker(brokers: string[], durationMs: number): Promise<void> {
  await createPlainTopic(brokers, topic, partitions);
  // Leaders of a new topic are not known everywhere at once: kafkajs tries again, and would log each try.
  const kafka = new Kafka({ clientId: 'warm-up', brokers, logLevel: logLevel.NOTHING });
  const [producer, consumer] = [kafka.producer({ allowAutoTopicCreation: false }), kafka.consumer({ groupId: topic })];
  await Promise.all([producer.connect(), consumer.connect()]);
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ partitionsConsumedConcurrently: partitions, eachBatch: async () => undefined });
    const value = randomBytes(500);
    const end = performance.now() + durationMs;
    for (let sent = 0; performance.now() < end; sent += 1) {
      const messages = Array.from({ length: perSend }, (_, index) => ({ partition: (sent + index) % partitions, value }));
      await producer.send({ topic, acks: -1, messages });
      await sleep(1);
    }
  } finally {
    await Promise.all([producer.disconnect(), consumer.disconnect()]);
  }
}
