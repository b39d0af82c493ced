import type { BusMessage, PublishResult } from '../event-bus';
import {
  addEntry,
  hasReady,
  isReady,
  type PublishEntry,
  type PublishLine,
  type PublishLines,
  type SendHistory,
  takeBatch,
  takeExpired,
  type WaitingEntry,
} from './publish-lines';

/** The result of a send for one entry: final, or returned to its line to be sent again. */
export type SendResult = PublishResult | { again: SendHistory };

export interface PublishQueueOptions {
  /**
   * Sends one batch of a topic through a channel; called again for that channel only after it has settled. Answers for all
   * entries at once, or per entry. Must end within a bounded time.
   */
  send(topic: string, batch: readonly PublishEntry[], channel: number): Promise<PublishResult | readonly SendResult[]>;
  /**
   * The channel that takes a partition's messages now. Channels send side by side. Negative: a channel without a broker yet.
   * After a change call `wake`. Default: one channel for the whole topic.
   */
  channelOf?(topic: string, partition: number): number;
  /** Bytes of one batch; an entry larger than that goes alone. Default 512 KiB. */
  maxBatchBytes?: number | undefined;
  /**
   * Bytes waiting or under way, over all topics; entries beyond that are refused. Failing channels may use half. Default 64 MiB.
   */
  maxBufferBytes?: number | undefined;
  /** Milliseconds after which an entry is not sent any more, neither for the first time nor again. Default 4,000. */
  maxAgeMs?: number | undefined;
  /** Milliseconds that never go back. Default: the machine's monotonic clock. */
  now?(): number;
}

export interface PublishQueue {
  push(topic: string, partition: number, messages: readonly BusMessage[]): Promise<PublishResult>;
  /** Call it when the channels of partitions may have changed: waiting entries are sent through the new ones. */
  wake(): void;
  /** Refuses entries from now on; resolves when everything under way is answered. */
  close(): Promise<void>;
}

interface Topic {
  name: string;
  lines: PublishLines;
  channels: Map<number, Channel>;
}

interface Channel {
  number: number;
  running?: Promise<void> | undefined;
  /** Since when its batch is under way; undefined while none is. */
  sendingSince?: number | undefined;
  /** Its last batch was not acknowledged. */
  failing: boolean;
}

const defaultMaxAgeMs = 4_000;
/** A channel with a batch under way for longer counts as failing. */
const slowMs = 1_000;

const refused = (message: string): PublishResult => ({ ok: false, outcome: 'refused', message });
const tooLarge: PublishResult = {
  ok: false, outcome: 'refused', message: 'The messages are larger than the publish buffer.', unacceptable: true,
};

/**
 * Group commit: per channel one send is under way; entries that wait meanwhile are sent together in the next one. No fixed delay,
 * one turn of the event loop. The order within a partition is that of the pushes, also when entries are sent again or change
 * their channel.
 */
export function createPublishQueue(options: PublishQueueOptions): PublishQueue {
  const {
    maxBatchBytes = 512 * 1024,
    maxBufferBytes = 64 * 1024 * 1024,
    maxAgeMs = defaultMaxAgeMs,
    now = () => performance.now(),
    channelOf = () => 0,
  } = options;
  const topics = new Map<string, Topic>();
  let buffered = 0;
  let closed = false;

  const settle = (line: PublishLine, entry: WaitingEntry, result: PublishResult): void => {
    buffered -= entry.bytes;
    line.bytes -= entry.bytes;
    entry.settle(result);
  };
  const refuseExpired = (topic: Topic): void => {
    const oldest = now() - maxAgeMs;
    for (const line of topic.lines.values()) {
      if (isReady(line)) for (const entry of takeExpired(line, oldest)) settle(line, entry, expired(entry, maxAgeMs));
    }
  };
  const finish = (topic: Topic, batch: readonly WaitingEntry[], results: readonly SendResult[]): void => {
    const lineOf = ({ partition }: WaitingEntry): PublishLine => topic.lines.get(partition) as PublishLine;
    for (let index = batch.length - 1; index >= 0; index -= 1) {
      const [entry, result] = [batch[index] as WaitingEntry, results[index] as SendResult];
      lineOf(entry).busy = false;
      // From the last to the first, each to the front of the line, which keeps the order.
      if ('again' in result) lineOf(entry).waiting.unshift({ ...entry, history: result.again });
    }
    batch.forEach((entry, index) => {
      const result = results[index] as SendResult;
      if ('ok' in result) settle(lineOf(entry), entry, result);
    });
  };
  const run = async (topic: Topic, channel: Channel): Promise<void> => {
    const mine = (partition: number): boolean => channelOf(topic.name, partition) === channel.number;
    do {
      // Requests that are already in the sockets join the batch: fewer and fuller batches leave more CPU for accepting events.
      await new Promise(setImmediate);
      refuseExpired(topic);
      const batch = takeBatch(topic.lines, mine, maxBatchBytes);
      if (batch.length === 0) continue;
      channel.sendingSince = now();
      const results = await sendBatch(options.send, topic.name, batch, channel.number);
      channel.sendingSince = undefined;
      channel.failing = results.some((result) => 'again' in result || !result.ok);
      finish(topic, batch, results);
      wakeTopic(topic);
    } while (hasReady(topic.lines, mine));
    channel.running = undefined;
  };
  const start = (topic: Topic, partition: number): void => {
    const number = channelOf(topic.name, partition);
    const channel = topic.channels.get(number) ?? { number, failing: false };
    topic.channels.set(number, channel);
    channel.running ??= run(topic, channel);
  };
  const wakeTopic = (topic: Topic): void => {
    for (const [partition, line] of topic.lines) if (isReady(line)) start(topic, partition);
  };
  const inTrouble = (topic: Topic, partition: number): boolean => {
    const number = channelOf(topic.name, partition);
    const channel = topic.channels.get(number);
    return (
      number < 0 || channel?.failing === true || (channel?.sendingSince !== undefined && now() - channel.sendingSince > slowMs)
    );
  };
  const bytesInTrouble = (): number => {
    let bytes = 0;
    for (const topic of topics.values())
      for (const [partition, line] of topic.lines) if (inTrouble(topic, partition)) bytes += line.bytes;
    return bytes;
  };
  const reasonToRefuse = (topic: Topic, partition: number, bytes: number): string | undefined => {
    if (closed) return 'The bus is closed.';
    if (buffered + bytes > maxBufferBytes) return 'The publish buffer is full.';
    // Half of it stays free for partitions whose broker answers.
    const half = maxBufferBytes / 2;
    const full = buffered + bytes > half && inTrouble(topic, partition) && bytesInTrouble() + bytes > half;
    return full ? 'The publish buffer is full of messages for a broker that does not answer.' : undefined;
  };

  return {
    push: (name, partition, messages) => {
      const topic = topics.get(name) ?? { name, lines: new Map(), channels: new Map() };
      const bytes = sizeOf(messages);
      if (bytes > maxBufferBytes) return Promise.resolve(tooLarge);
      const reason = reasonToRefuse(topic, partition, bytes);
      if (reason !== undefined) return Promise.resolve(refused(reason));
      topics.set(name, topic);
      buffered += bytes;
      return new Promise((answer) => {
        addEntry(topic.lines, { partition, messages, bytes, since: now(), settle: answer });
        start(topic, partition);
      });
    },
    wake: () => topics.forEach(wakeTopic),
    close: async () => {
      closed = true;
      for (let running = runningOf(topics); running.length > 0; running = runningOf(topics)) await Promise.all(running);
    },
  };
}

/** The channels of all topics that send. */
const runningOf = (topics: ReadonlyMap<string, Topic>): Promise<void>[] =>
  [...topics.values()].flatMap(({ channels }) => [...channels.values()].flatMap((channel) => channel.running ?? []));

function expired({ history }: PublishEntry, maxAgeMs: number): PublishResult {
  const message = `Not sent within ${maxAgeMs / 1000} s${history ? `: ${history.message}` : ''}`;
  return { ok: false, outcome: history && history.unsure > 0 ? 'unknown' : 'refused', message };
}

async function sendBatch(
  send: PublishQueueOptions['send'],
  topic: string,
  batch: readonly WaitingEntry[],
  channel: number,
): Promise<readonly SendResult[]> {
  try {
    const answer = await send(topic, batch, channel);
    return 'ok' in answer ? batch.map(() => answer) : answer;
  } catch (error) {
    // When `send` throws, which is a bug, it is unknown whether something was written.
    return batch.map(() => ({ ok: false, outcome: 'unknown', message: String(error) }));
  }
}

/** Bytes of messages, close enough for limits: keys and headers count by characters. */
function sizeOf(messages: readonly BusMessage[]): number {
  let bytes = 0;
  for (const { key, value, headers } of messages) {
    bytes += 32 + key.length + (value?.length ?? 0);
    if (headers) for (const name in headers) bytes += name.length + (headers[name] as string).length;
  }
  return bytes;
}
