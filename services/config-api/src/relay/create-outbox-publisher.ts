import type { BusMessage, EventBus, OutboxMessage, OutboxOutcome } from '@sluice/ports';

/** Bytes of one publish: well below the default limit of a broker (1 MiB). A larger message is published alone. */
const chunkBytes = 256 * 1024;
/** Failed publishes in a row after which a round ends, because then the broker fails. */
const failuresInARow = 2;
/** Milliseconds after which a round publishes nothing more: its transaction is open meanwhile. */
const roundMs = 10_000;
/** Rounds in which a message fails alone while others pass, until it is set aside. */
const loneFailures = 20;
/** Outbox topics have one partition: readers see the changes of a key in the order they were committed. */
const partition = 0;

interface Encoded extends Pick<OutboxMessage, 'id' | 'topic' | 'key'> {
  message: BusMessage;
  bytes: number;
}

export interface OutboxPublisher {
  /** Publishes the messages of one round, in order for each key. Never rejects because of the bus. */
  publish(messages: readonly OutboxMessage[]): Promise<OutboxOutcome & { problem: string | null }>;
}

/**
 * Publishes messages or sets them aside (ADR 0042). A chunk that the log finds unacceptable is halved until the bad message is
 * alone, which is set aside. A chunk that fails for another reason waits; in the next rounds its keys are tried one by one and
 * last, so that no key waits for a failing one.
 */
export function createOutboxPublisher({
  bus,
  now = () => performance.now(),
}: {
  bus: Pick<EventBus, 'publish'>;
  now?(): number;
}): OutboxPublisher {
  /** Keys whose last publish failed. */
  let suspects: ReadonlySet<string> = new Set();
  /** How often a message has failed alone while others passed. */
  let failedAlone = new Map<bigint, number>();

  async function publish(messages: readonly OutboxMessage[]): ReturnType<OutboxPublisher['publish']> {
    const encoded = messages.map(encode);
    const until = now() + roundMs;
    const round = createRound(bus, () => now() > until);
    const chunks = [
      ...chunksOf(encoded.filter((one) => !suspects.has(scopeOf(one)))),
      ...encoded.filter((one) => suspects.has(scopeOf(one))).map((one) => [one]),
    ];
    for (const chunk of chunks) await round.send(chunk);
    const passed = round.published.length > 0;
    const counts = new Map<bigint, number>();
    for (const { id, reason } of passed ? round.failedAlone : []) {
      const count = (failedAlone.get(id) ?? 0) + 1;
      if (count >= loneFailures) round.setAside.push({ id, reason });
      else counts.set(id, count);
    }
    if (passed) failedAlone = counts;
    suspects = round.waiting;
    return { published: round.published, setAside: round.setAside, problem: round.problem };
  }

  return { publish };
}

function createRound(bus: Pick<EventBus, 'publish'>, isOver: () => boolean) {
  const round = {
    published: [] as bigint[],
    setAside: [] as { id: bigint; reason: string }[],
    failedAlone: [] as { id: bigint; reason: string }[],
    /** Keys with a failed message: no later message of them may overtake it. */
    waiting: new Set<string>(),
    failures: 0,
    problem: null as string | null,
    async send(chunk: readonly Encoded[]): Promise<void> {
      const some = chunk.filter((one) => !round.waiting.has(scopeOf(one)));
      if (some.length === 0 || round.failures >= failuresInARow || isOver()) return;
      const result = await bus.publish(
        some[0]!.topic,
        partition,
        some.map(({ message }) => message),
      );
      if (result.ok) {
        round.failures = 0;
        round.published.push(...some.map(({ id }) => id));
      } else if (result.unacceptable) await round.blame(some, result.message);
      else {
        round.failures += 1;
        round.problem = result.message;
        for (const one of some) round.waiting.add(scopeOf(one));
        if (some.length === 1) round.failedAlone.push({ id: some[0]!.id, reason: result.message });
      }
    },
    async blame(some: readonly Encoded[], reason: string): Promise<void> {
      if (some.length === 1) return void round.setAside.push({ id: some[0]!.id, reason });
      const half = Math.ceil(some.length / 2);
      await round.send(some.slice(0, half));
      await round.send(some.slice(half));
    },
  };
  return round;
}

function encode({ id, topic, key, payload }: OutboxMessage): Encoded {
  const value = Buffer.from(JSON.stringify(payload));
  return { id, topic, key, message: { key, value }, bytes: key.length + value.length };
}

const scopeOf = ({ topic, key }: Pick<Encoded, 'topic' | 'key'>): string => `${topic}\n${key}`;

/** Consecutive messages of one topic, as many as fit into one publish. */
export function chunksOf<T extends Pick<Encoded, 'topic' | 'bytes'>>(messages: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const last = chunks.at(-1);
    if (last?.[0]!.topic === message.topic && bytes + message.bytes <= chunkBytes) {
      last.push(message);
      bytes += message.bytes;
    } else {
      chunks.push([message]);
      bytes = message.bytes;
    }
  }
  return chunks;
}
