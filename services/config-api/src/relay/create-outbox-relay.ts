import { setTimeout as sleep } from 'node:timers/promises';
import { defineWorker, type RunContext, type Worker } from '@sluice/background';
import type { EventBus, Logger, OutboxMessage, OutboxOutcome, OutboxStore } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';
import { createOutboxPublisher } from './create-outbox-publisher';

/** Messages per transaction. */
const batchSize = 200;
/** How often the outbox is read when nothing wakes the relay: changes of other processes. */
const everyMs = 200;

/** Another process takes over after this long from one that was killed. */
const leaseMs = 5_000;

export interface OutboxRelay {
  worker: Worker;
  /** Begins the next round now, if this process is the relay. */
  wake(): void;
  /** Milliseconds since the last round that ended well; 0 in a process that is not the relay. */
  sinceLastSuccessMs(): number;
}

export interface OutboxRelayOptions {
  outbox: OutboxStore;
  bus: EventBus;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Publishes the messages of the outbox, in order, and removes them once every in-sync replica has them. While the broker is away
 * messages wait; after a crash between publish and removal a message is published again, which readers ignore by its revision. A
 * message that can never be published is set aside, logged and counted: an operator must check it. One process is the relay; the
 * lock of `drain` keeps a predecessor whose transaction is still open from publishing beside it.
 */
export function createOutboxRelay({ outbox, bus, logger, metrics }: OutboxRelayOptions): OutboxRelay {
  const publisher = createOutboxPublisher({ bus });
  const setAsideTotal = metrics.counter({
    name: 'outbox_set_aside_total', help: 'Messages of the outbox that can never be published, by topic.', labels: ['topic'],
  });
  let failing = false;

  async function publish(messages: OutboxMessage[]): Promise<OutboxOutcome> {
    const { problem, ...outcome } = await publisher.publish(messages);
    for (const { id, reason } of outcome.setAside) {
      const { topic, key } = messages.find((message) => message.id === id)!;
      logger.error('a message of the outbox was set aside: the log will never take it', { topic, key, reason });
      setAsideTotal.inc({ topic });
    }
    const waiting = messages.length - outcome.published.length;
    if (problem !== null && !failing) logger.warn('outbox waits for the broker', { reason: problem, waiting });
    if (problem === null && failing) logger.info('outbox is published again');
    failing = problem !== null;
    return outcome;
  }

  async function round(signal: AbortSignal): Promise<void> {
    let settled = await outbox.drain(batchSize, publish);
    while (settled !== 'busy' && settled > 0 && !failing && !signal.aborted) settled = await outbox.drain(batchSize, publish);
  }

  let lastSuccess: number | null = null;
  /** Whether something changed since the last round began. */
  let isAwake = false;
  let endPause = (): void => undefined;
  const pause = async (signal: AbortSignal): Promise<void> => {
    if (isAwake) return;
    const woken = new AbortController();
    endPause = () => woken.abort();
    await sleep(everyMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined);
  };
  /** Round after round, for as long as this process has the lease. */
  async function run({ signal }: Pick<RunContext, 'signal'>): Promise<void> {
    lastSuccess = performance.now();
    try {
      while (!signal.aborted) {
        isAwake = false;
        await round(signal);
        lastSuccess = performance.now();
        await pause(signal);
      }
    } finally {
      if (signal.aborted) lastSuccess = null;
    }
  }

  return {
    worker: defineWorker({ name: 'config.outbox', schedule: { every: everyMs }, leaseMs, run }),
    wake: () => {
      isAwake = true;
      endPause();
    },
    sinceLastSuccessMs: () => (lastSuccess === null ? 0 : performance.now() - lastSuccess),
  };
}
