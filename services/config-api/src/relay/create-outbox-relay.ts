import type { EventBus, Logger, OutboxMessage, OutboxStore } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** Messages per transaction and publish. */
const batchSize = 200;
/** How often the outbox is looked at: what was published reaches other services well within a second. */
const everyMs = 200;
/** Outbox topics have one partition: readers see changes in the order they were committed. */
const partition = 0;

/**
 * Publishes what waits in the outbox, in order, and removes it once every in-sync replica has it. While the broker is away
 * messages wait; a crash between publish and removal publishes again, which readers ignore by revision.
 */
export function createOutboxRelay({ outbox, bus, logger }: { outbox: OutboxStore; bus: EventBus; logger: Logger }): Ticker {
  let failing = false;

  async function publish(messages: OutboxMessage[]): Promise<boolean> {
    for (const run of runsByTopic(messages)) {
      const result = await bus.publish(run[0]!.topic, partition, run.map(({ key, payload }) => ({ key, value: Buffer.from(JSON.stringify(payload)) })));
      if (result.ok) continue;
      if (!failing) logger.warn('outbox waits for the broker', { reason: result.message, waiting: messages.length });
      failing = true;
      return false;
    }
    if (failing) logger.info('outbox is published again');
    failing = false;
    return true;
  }

  return createTicker({
    name: 'outbox relay', everyMs, logger,
    run: async (signal) => {
      let count = await outbox.drain(batchSize, publish);
      while (count === batchSize && !signal.aborted) count = await outbox.drain(batchSize, publish);
    },
  });
}

/** Consecutive messages of one topic, in order. */
export function runsByTopic(messages: readonly OutboxMessage[]): OutboxMessage[][] {
  const runs: OutboxMessage[][] = [];
  for (const message of messages) {
    const last = runs.at(-1);
    if (last?.[0]!.topic === message.topic) last.push(message);
    else runs.push([message]);
  }
  return runs;
}
