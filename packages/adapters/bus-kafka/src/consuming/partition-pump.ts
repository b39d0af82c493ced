import type { ReceivedMessage } from '@sluice/ports';

export interface PartitionPumpOptions {
  deliver(messages: ReceivedMessage[]): void | Promise<void>;
  /** Whether the log should be asked for more of this partition. Called on changes only. */
  flow(open: boolean): void;
  failed(error: unknown): void;
}

/** Where a batch comes from. */
export interface FetchedFrom {
  /** The offset it was fetched from. */
  from: bigint;
  /** The offset after the last message of the log, as the broker told it with the batch. */
  logEnd: bigint;
}

/** At this number of bytes that wait for the handler no more are fetched of the partition. */
const mostWaitingBytes = 256 * 1024;
/** What a message counts besides its value: a tombstone has none. */
const bytesOfMessage = 200;

/**
 * Between kafkajs and a handler for one partition: kafkajs never waits for the handler, because its fetches and heartbeats of all
 * partitions would wait too. One delivery is in the handler. What was fetched meanwhile waits here: less than `mostWaitingBytes`
 * and one fetched batch. Fetching goes on below that, because a paused partition is only fetched again when the fetch under way
 * has ended, which may take as long as a fetch waits at the broker.
 */
export interface PartitionPump {
  /** The offset after the last one taken in; undefined before the first message. */
  next(): bigint | undefined;
  /**
   * Accepts messages. Those delivered before are left out, unless the log lost its end: then other messages have their offsets.
   * @returns false when it refuses them: they were fetched before a rewind and must be fetched again from its offset
   */
  push(messages: ReceivedMessage[], fetch: FetchedFrom): boolean;
  /** Drops waiting messages and accepts those fetched from `next` on. */
  rewind(next: bigint): void;
  /** Handing over begins; before that everything waits. */
  start(): void;
  started(): boolean;
  /** It could take messages now: begun, not paused, nothing waiting here or with the handler. */
  idle(): boolean;
  pause(): void;
  resume(): void;
  /** Drops waiting messages. Resolves when no handler runs any more. */
  close(): Promise<void>;
}

export function createPartitionPump({ deliver, flow, failed }: PartitionPumpOptions): PartitionPump {
  let waiting: ReceivedMessage[] = [];
  let waitingBytes = 0;
  let next: bigint | undefined;
  /** Where the next fetch has to start after a rewind; undefined otherwise. */
  let rewoundTo: bigint | undefined;
  let started = false;
  let paused = false;
  let closed = false;
  let open = true;
  let running: Promise<void> | undefined;

  const setFlow = (): void => {
    const wanted = !paused && waitingBytes < mostWaitingBytes;
    if (wanted === open || closed) return;
    open = wanted;
    flow(open);
  };
  const takeWaiting = (): ReceivedMessage[] => {
    const taken = waiting;
    [waiting, waitingBytes] = [[], 0];
    return taken;
  };
  const canRun = (): boolean => started && !paused && !closed && waiting.length > 0;
  const run = async (): Promise<void> => {
    while (canRun()) {
      const batch = takeWaiting();
      setFlow();
      try {
        await deliver(batch);
      } catch (error) {
        closed = true;
        failed(error);
      }
    }
    // Without an await since the last check for waiting messages, so that no push in between is missed.
    running = undefined;
  };
  const wake = (): void => {
    if (!running && canRun()) running = run();
    setFlow();
  };

  return {
    next: () => next,
    push: (messages, { from, logEnd }) => {
      const isStale = rewoundTo !== undefined && from !== rewoundTo;
      // At most one fetch was under way at the rewind. A later one with another offset is right: the log begins there.
      rewoundTo = undefined;
      if (isStale) return false;
      const wanted = next !== undefined && logEnd < next ? undefined : next;
      // Nearly every fetch continues where the last one ended.
      const isNew = wanted === undefined || (messages[0]?.offset ?? wanted) >= wanted;
      const fresh = isNew ? messages : messages.filter(({ offset }) => offset >= wanted);
      const last = fresh[fresh.length - 1];
      if (!last || closed) return true;
      next = last.offset + 1n;
      waiting = waiting.length === 0 ? fresh : waiting.concat(fresh);
      for (const { value } of fresh) waitingBytes += bytesOfMessage + (value?.length ?? 0);
      wake();
      return true;
    },
    rewind: (offset) => {
      takeWaiting();
      next = offset;
      rewoundTo = offset;
      setFlow();
    },
    start: () => {
      started = true;
      wake();
    },
    started: () => started,
    idle: () => started && !paused && !closed && !running && waiting.length === 0,
    pause: () => {
      paused = true;
      setFlow();
    },
    resume: () => {
      paused = false;
      wake();
    },
    close: async () => {
      closed = true;
      takeWaiting();
      await running;
    },
  };
}
