import type { BusMessage, PublishResult } from '@sluice/ports';
import type { PublishEntry } from '@sluice/ports/bus-kit';
import type { Message, Producer } from 'kafkajs';
import type { KafkaBusOptions } from './kafka-bus-options';
import { createKafkaClient, type KafkaClient } from './kafka-client';
import { type FailedAttempt, protocolError, publishOutcome } from './publish-outcome';
import { useQuickProduce } from './quick-produce';

/** Sends the batches of one topic, one at a time, over connections of its own. Tries for at most two request timeouts. */
export interface TopicProducer {
  send(batch: readonly PublishEntry[]): Promise<PublishResult>;
  close(): Promise<void>;
}

interface Link {
  client: KafkaClient;
  producer: Producer;
}

/** Milliseconds before each further attempt. A leader election or a restarted connection takes about that long. */
const waits = [100, 300];
/** Trying these again cannot help. */
const final = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED', 'POLICY_VIOLATION', 'INVALID_RECORD']);

/**
 * Without kafkajs's idempotent producer: after a failed send it rolls its sequence back, and a later message can be
 * acknowledged without being in the log (DESIGN 2.1). A retry may therefore append twice; readers drop repeats.
 */
export function createTopicProducer(topic: string, options: KafkaBusOptions): TopicProducer {
  const requestTimeoutMs = options.requestTimeoutMs ?? 5_000;
  let link: Link | undefined;
  useQuickProduce();

  const connect = async (): Promise<Link> => {
    const client = createKafkaClient(options, requestTimeoutMs);
    const producer = client.kafka.producer({
      idempotent: false,
      allowAutoTopicCreation: false,
      retry: { retries: 0 },
      createPartitioner: () => ({ message }) => message.partition as number,
    });
    link = { client, producer };
    await producer.connect();
    return link;
  };
  /** After any failure the connections go: leaders are looked up anew, and no late answer meets a later request. */
  const drop = (): void => {
    link?.client.cut();
    link?.producer.disconnect().catch(() => undefined);
    link = undefined;
  };
  const sendOnce = async (messages: Message[]): Promise<void> => {
    const { producer } = link ?? (await connect());
    // The broker gives up before we do, so that it is the one to say so.
    await producer.send({ topic, acks: -1, timeout: Math.ceil(requestTimeoutMs * 0.8), messages });
  };
  const attempt = async (messages: Message[], partitions: number, deadline: number): Promise<FailedAttempt | undefined> => {
    const before = link?.client.produceRequests() ?? 0;
    try {
      await withinTime(deadline, sendOnce(messages));
      return undefined;
    } catch (error) {
      const written = (link?.client.produceRequests() ?? 0) > before;
      drop();
      return { error, written, partitions };
    }
  };

  return {
    send: async (batch) => {
      const messages = batch.flatMap((entry) => entry.messages.map((message) => toKafka(entry.partition, message)));
      const partitions = new Set(batch.map(({ partition }) => partition)).size;
      const failures: FailedAttempt[] = [];
      const deadline = performance.now() + 2 * requestTimeoutMs;
      for (const wait of [0, ...waits]) {
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        if (performance.now() > deadline) break;
        const failed = await attempt(messages, partitions, deadline);
        if (!failed) return { ok: true };
        failures.push(failed);
        if (final.has(protocolError(failed.error) ?? '')) break;
      }
      return publishOutcome(failures);
    },
    close: async () => {
      const last = link;
      link = undefined;
      // Nothing is under way any more; what is left of the connections goes without goodbye when it takes too long.
      await Promise.race([last?.producer.disconnect().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      last?.client.cut();
    },
  };
}

async function withinTime(deadline: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The broker took too long.')), Math.max(0, deadline - performance.now()));
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function toKafka(partition: number, { key, value, headers }: BusMessage): Message {
  return { partition, key, value, headers };
}
