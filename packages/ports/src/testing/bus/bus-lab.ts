import type { BusMessage, EventBus, PartitionHandlers, ReceivedMessage, Subscription } from '../../event-bus';

/** A log to test, and ways to reach it. Every topic and group of the suite has a name of its own. */
export interface BusLab {
  /** One more client of the same log, as another process would be. */
  open(options?: { maxBufferBytes?: number }): Promise<EventBus>;
  /** Cuts a client off like a killed process: it leaves no group and sends nothing more. */
  crash(bus: EventBus): Promise<void>;
  close(): Promise<void>;
}

/** The events of one member of a group, in order. */
export interface Recorder {
  subscription: Subscription;
  owned: Set<number>;
  messages: ReceivedMessage[];
  /** `+3` got partition 3, `-3` lost it. */
  moves: string[];
  values(partition?: number): string[];
}

export const text = (value: string, key = 'k'): BusMessage => ({ key, value: Buffer.from(value) });

export const texts = (prefix: string, count: number): BusMessage[] =>
  Array.from({ length: count }, (_, index) => text(`${prefix}${index}`, `key-${index}`));

/** Subscribes a member that writes down what happens. `journal` is shared by members: moves as `name+3`; its name is its own. */
export async function record(
  bus: EventBus,
  options: {
    topic: string;
    group: string;
    fromStart?: boolean;
    name?: string;
    journal?: string[];
    onMessages?: PartitionHandlers['messages'];
  },
): Promise<Recorder> {
  const owned = new Set<number>();
  const messages: ReceivedMessage[] = [];
  const moves: string[] = [];
  const move = (sign: string, partition: number): void => {
    moves.push(`${sign}${partition}`);
    options.journal?.push(`${options.name}${sign}${partition}`);
  };
  const subscription = await bus.subscribe({
    topic: options.topic,
    group: options.group,
    fromStart: options.fromStart ?? true,
    ...(options.name !== undefined && { member: options.name }),
    handlers: {
      assigned: (partition) => {
        owned.add(partition);
        move('+', partition);
      },
      revoked: (partition) => {
        owned.delete(partition);
        move('-', partition);
      },
      messages: async (partition, batch) => {
        messages.push(...batch);
        await options.onMessages?.(partition, batch);
      },
    },
  });
  const values = (partition?: number): string[] =>
    messages
      .filter((message) => partition === undefined || message.partition === partition)
      .map((message) => String(message.value));
  return { subscription, owned, messages, moves, values };
}
