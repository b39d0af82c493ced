import type { ReceivedMessage } from '../event-bus';

export interface PartitionReaderOptions {
  /**
   * Reads each wanted partition from `next` on, bounded. Partitions with nothing new may be left out. A rejection is tried again.
   */
  read(wanted: { partition: number; next: bigint }[]): Promise<Map<number, ReceivedMessage[]>>;
  /** Hands over one batch of a partition; the partition's next batch is read when it resolves. */
  deliver(partition: number, messages: ReceivedMessage[]): void | Promise<void>;
  /** A read found nothing new in the partition. */
  atEnd?(partition: number): void;
  /** `deliver` rejected: the reader has stopped. */
  failed(error: unknown): void;
  /** Milliseconds after which it looks again without having been woken. */
  pollMs: number;
}

/** Reads partitions in log order, one batch of each at a time, partitions in parallel. For logs that are polled. */
export interface PartitionReader {
  add(partition: number, next: bigint): void;
  remove(partition: number): void;
  has(partition: number): boolean;
  pause(partition: number): void;
  resume(partition: number): void;
  /** The next batch starts at `next`, independent of what was read or is being delivered. */
  rewind(partition: number, next: bigint): void;
  /** Called when there may be new messages. */
  wake(): void;
  /** Stops reading; resolves when no `deliver` runs any more. */
  stop(): Promise<void>;
}

interface Position {
  partition: number;
  next: bigint;
  /** Counts rewinds: what was read or delivered before one does not move the position. */
  rewinds: number;
  busy: boolean;
  paused: boolean;
}

const retryMs = 200;

export function createPartitionReader(options: PartitionReaderOptions): PartitionReader {
  const positions = new Map<number, Position>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  let news = false;
  let ring: (() => void) | undefined;

  const wake = (): void => {
    news = true;
    ring?.();
  };
  const untilNews = async (timeoutMs: number): Promise<void> => {
    if (news || stopped) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      ring = resolve;
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
    ring = undefined;
  };
  const isIdle = (position: Position): boolean =>
    !position.busy && !position.paused && positions.get(position.partition) === position;

  const deliver = async (position: Position, messages: ReceivedMessage[]): Promise<void> => {
    position.busy = true;
    const { rewinds } = position;
    try {
      await options.deliver(position.partition, messages);
      if (position.rewinds === rewinds) position.next = (messages[messages.length - 1] as ReceivedMessage).offset + 1n;
    } catch (error) {
      stopped = true;
      options.failed(error);
    }
    position.busy = false;
    wake();
  };
  const hand = (position: Position, rewinds: number, messages: ReceivedMessage[] | undefined): boolean => {
    // Paused, moved, rewound or released during the read: the messages are dropped, and read again by the owner at that time.
    if (stopped || !isIdle(position) || position.rewinds !== rewinds) return false;
    if (!messages || messages.length === 0) {
      options.atEnd?.(position.partition);
      return false;
    }
    const work = deliver(position, messages).finally(() => running.delete(work));
    running.add(work);
    return true;
  };
  const readOnce = async (): Promise<number> => {
    const idle = [...positions.values()].filter(isIdle).map((position) => ({ position, rewinds: position.rewinds }));
    if (idle.length === 0) return 0;
    const batches = await options.read(idle.map(({ position: { partition, next } }) => ({ partition, next })));
    return idle.filter(({ position, rewinds }) => hand(position, rewinds, batches.get(position.partition))).length;
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      news = false;
      // The log reports its own errors (`healthy`, `silentForMs`); here a failure only slows down the reading.
      const handed = await readOnce().catch(() => undefined);
      if (handed === undefined) await new Promise((resolve) => setTimeout(resolve, retryMs));
      else if (handed === 0) await untilNews(options.pollMs);
    }
  };
  const looping = loop();

  return {
    add: (partition, next) => {
      positions.set(partition, { partition, next, rewinds: 0, busy: false, paused: false });
      wake();
    },
    remove: (partition) => void positions.delete(partition),
    has: (partition) => positions.has(partition),
    pause: (partition) => void setPaused(positions.get(partition), true),
    resume: (partition) => {
      setPaused(positions.get(partition), false);
      wake();
    },
    rewind: (partition, next) => {
      const position = positions.get(partition);
      if (!position) return;
      position.next = next;
      position.rewinds += 1;
      wake();
    },
    wake,
    stop: async () => {
      stopped = true;
      wake();
      await Promise.all([looping, ...running]);
    },
  };
}

function setPaused(position: Position | undefined, paused: boolean): void {
  if (position) position.paused = paused;
}
