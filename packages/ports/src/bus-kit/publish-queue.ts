import type { BusMessage, PublishResult } from '../event-bus';

/** Messages of one `publish` call: they go together or not at all, in order. */
export interface PublishEntry {
  partition: number;
  messages: readonly BusMessage[];
  bytes: number;
}

export interface PublishQueueOptions {
  /** Sends one batch of a topic; called again for that topic only after it has settled. Answers for all, or per entry. */
  send(topic: string, batch: readonly PublishEntry[]): Promise<PublishResult | readonly PublishResult[]>;
  /** Bytes of one batch; an entry larger than that goes alone. Default 512 KiB (DESIGN 2.1). */
  maxBatchBytes?: number;
  /** Bytes waiting or under way, over all topics; what comes on top is refused. Default 64 MiB. */
  maxBufferBytes?: number;
}

export interface PublishQueue {
  push(topic: string, partition: number, messages: readonly BusMessage[]): Promise<PublishResult>;
  /** Refuses what comes from now on; resolves when everything under way has its answer. */
  close(): Promise<void>;
}

interface Waiting extends PublishEntry {
  settle(result: PublishResult): void;
}

const refused = (message: string): PublishResult => ({ ok: false, outcome: 'refused', message });

/** Group commit: per topic one send under way; what waits meanwhile goes together in the next one. No fixed delay, one turn of the event loop. */
export function createPublishQueue(options: PublishQueueOptions): PublishQueue {
  const { maxBatchBytes = 512 * 1024, maxBufferBytes = 64 * 1024 * 1024 } = options;
  const lines = new Map<string, Waiting[]>();
  const sending = new Map<string, Promise<void>>();
  let buffered = 0;
  let closed = false;

  const sendAll = async (topic: string, line: Waiting[]): Promise<void> => {
    while (line.length > 0) {
      // What the sockets hold by now goes along: fewer, fuller batches leave the processor to those who send.
      await new Promise(setImmediate);
      const batch = takeBatch(line, maxBatchBytes);
      const results = await sendBatch(options.send, topic, batch);
      batch.forEach((entry, index) => {
        buffered -= entry.bytes;
        entry.settle(results[index] as PublishResult);
      });
    }
    sending.delete(topic);
  };

  return {
    push: (topic, partition, messages) => {
      const bytes = sizeOf(messages);
      if (closed) return Promise.resolve(refused('The bus is closed.'));
      if (buffered + bytes > maxBufferBytes) return Promise.resolve(refused('The publish buffer is full.'));
      buffered += bytes;
      const line = lines.get(topic) ?? [];
      lines.set(topic, line);
      return new Promise((settle) => {
        line.push({ partition, messages, bytes, settle });
        if (!sending.has(topic)) sending.set(topic, sendAll(topic, line));
      });
    },
    close: async () => {
      closed = true;
      await Promise.all(sending.values());
    },
  };
}

function takeBatch(line: Waiting[], maxBytes: number): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const entry of line) {
    bytes += entry.bytes;
    if (count > 0 && bytes > maxBytes) break;
    count += 1;
  }
  return line.splice(0, count);
}

async function sendBatch(send: PublishQueueOptions['send'], topic: string, batch: Waiting[]): Promise<readonly PublishResult[]> {
  try {
    const answer = await send(topic, batch);
    return 'ok' in answer ? batch.map(() => answer) : answer;
  } catch (error) {
    // `send` throwing is a bug; whether something was written is then anyone's guess.
    return batch.map(() => ({ ok: false, outcome: 'unknown', message: String(error) }));
  }
}

/** Bytes of messages, close enough for limits: keys and headers count by characters. */
export function sizeOf(messages: readonly BusMessage[]): number {
  let bytes = 0;
  for (const { key, value, headers } of messages) {
    bytes += 32 + key.length + (value?.length ?? 0);
    if (headers) for (const name in headers) bytes += name.length + (headers[name] as string).length;
  }
  return bytes;
}
