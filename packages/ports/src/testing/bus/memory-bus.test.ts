import type { EventBus } from '../../event-bus';
import { text } from './bus-lab';
import { eventBusConformance } from './event-bus-conformance';
import { createMemoryBus, createMemoryLog } from './memory-bus';

eventBusConformance('the in-memory bus', async () => {
  const log = createMemoryLog();
  return {
    open: async (options) => createMemoryBus({ log, ...options }),
    // In memory a client cannot vanish unnoticed: leaving the group is the closest to it.
    crash: (bus: EventBus) => bus.close(),
    close: async () => undefined,
  };
});

describe('the in-memory bus', () => {
  it('simulates the faults that a test sets', async () => {
    let fault: 'refused' | 'unknown' | 'lost' | undefined;
    const bus = createMemoryBus({ fault: () => fault });
    await bus.ensureTopics([{ name: 't', partitions: 1, cleanup: 'delete', retentionMs: 1 }]);
    const outcomes = [];
    for (fault of ['refused', 'unknown', 'lost', undefined] as const) {
      const result = await bus.publish('t', 0, [text('x')]);
      outcomes.push([result.ok ? 'ok' : result.outcome, (await bus.lag('t', 'g'))[0]?.end]);
    }
    expect(outcomes).toEqual([['refused', 0n], ['unknown', 1n], ['unknown', 1n], ['ok', 2n]]);
    await bus.close();
  });
});
