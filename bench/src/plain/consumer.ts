import { Kafka, logLevel } from 'kafkajs';
import { serveParent } from '../child';

interface Start {
  brokers: string[];
  topic: string;
  partitions: number;
  crmUrl: string;
  accessToken: string;
}

interface Message {
  data: { email: string; first_name: string; last_name: string; city: string };
}

/** The plain consumer: one call of the CRM for each record, all partitions side by side. */
async function start({ brokers, topic, partitions, crmUrl, accessToken }: Start): Promise<null> {
  const consumer = new Kafka({ clientId: 'plain', brokers, logLevel: logLevel.ERROR }).consumer({
    groupId: topic,
    maxWaitTimeInMs: 50,
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const joined = new Promise<void>((resolve) => consumer.on(consumer.events.GROUP_JOIN, () => resolve()));
  await consumer.run({
    partitionsConsumedConcurrently: partitions,
    eachMessage: async ({ message }) => {
      const { data } = JSON.parse(String(message.value)) as Message;
      const properties = { email: data.email, firstname: data.first_name, lastname: data.last_name, city: data.city };
      const response = await fetch(`${crmUrl}/crm/v3/objects/contacts/batch/upsert`, {
        method: 'POST', headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ inputs: [{ id: data.email, idProperty: 'email', properties }] }),
      });
      if (!response.ok) throw new Error(`the CRM answered ${response.status}`);
      await response.arrayBuffer();
    },
  });
  await joined;
  return null;
}

const calls = { start };
export type PlainConsumerCalls = typeof calls;
serveParent(calls);
