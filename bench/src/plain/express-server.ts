import express from 'express';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { serveParent } from '../child';

interface Start {
  /** With brokers: one produce with acks=all for each request before its 202. Without: 202 and nothing else. */
  brokers: string[] | null;
  topic: string;
}

/** What most people would write: express, and a produce per request. The measure for ours. */
async function start({ brokers, topic }: Start): Promise<{ url: string }> {
  const producer =
    brokers &&
    new Kafka({ clientId: 'plain', brokers, logLevel: logLevel.ERROR }).producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
  await producer?.connect();
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '10mb' }));
  app.post('/api/v1/events', async (request, response) => {
    const body = request.body as { data?: { email?: string } };
    if (producer)
      await producer.send({ topic, acks: -1, messages: [{ key: body.data?.email ?? '', value: JSON.stringify(body) }] });
    response.status(202).json({ event_id: 'evt_plain', status: 'processing', entities_count: 1, hint: null });
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
    );
  });
}

const calls = { start };
export type ExpressServerCalls = typeof calls;
serveParent(calls);
