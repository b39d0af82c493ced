import { Kafka, logLevel } from 'kafkajs';

/** Creates a topic for the plain way. Does nothing when it exists. */
export async function createPlainTopic(brokers: string[], topic: string, numPartitions: number): Promise<void> {
  const admin = new Kafka({ clientId: 'plain', brokers, logLevel: logLevel.ERROR }).admin();
  await admin.connect();
  try {
    await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: 1 }], waitForLeaders: true });
  } finally {
    await admin.disconnect();
  }
}
