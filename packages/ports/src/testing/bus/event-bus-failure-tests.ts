import type { PartitionHandlers, ReceivedMessage, Subscription } from '../../event-bus';
import { record, text } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { until } from '../shared/until';

const silent: PartitionHandlers = { assigned: () => undefined, revoked: () => undefined, messages: () => undefined };

export function failureTests({ open, topic: makeTopic }: BusSuite): void {
  const bug = new Error('handler bug');
  const throwBug = (): never => {
    throw bug;
  };

  describe('a handler that throws', () => {
    it.each<[string, PartitionHandlers['messages']]>([['rejects', () => Promise.reject(bug)], ['throws', throwBug]])(
      'stops the subscription when `messages` %s; its partitions are revoked and move to another member',
      async (_how, onMessages) => {
        const bus = await open();
        const topic = await makeTopic(bus, { partitions: 1 });
        const member = await record(bus, { topic, group: 'g', onMessages });
        await bus.publish(topic, 0, [text('one')]);
        expect(await member.subscription.failed).toBe(bug);
        await until('the partition is revoked', () => member.owned.size === 0);
        await bus.publish(topic, 0, [text('two')]);
        const next = await record(bus, { topic, group: 'g' });
        await until('redelivery to another member', () => next.messages.length === 2);
        expect(member.values()).toEqual(['one']);
        await member.subscription.stop();
      },
    );

    it('loses nothing when the same client subscribes anew: it starts from what was committed', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, [text('one')]);
      const first = await record(bus, { topic, group: 'g' });
      await until('the first', () => first.messages.length === 1);
      await first.subscription.commit([{ partition: 0, next: 1n }]);
      await first.subscription.stop();
      const second = await record(bus, { topic, group: 'g', onMessages: throwBug });
      await bus.publish(topic, 0, [text('two')]);
      expect(await second.subscription.failed).toBe(bug);
      const third = await record(bus, { topic, group: 'g' });
      await until('the failed batch', () => third.messages.length === 1);
      expect([second.values(), third.values()]).toEqual([['two'], ['two']]);
    });

    it('stops the subscription when `assigned` throws', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, [text('one')]);
      const handlers = { ...silent, assigned: throwBug };
      const subscription = await bus.subscribe({ topic, group: 'g', fromStart: true, handlers });
      expect(await subscription.failed).toBe(bug);
      const next = await record(bus, { topic, group: 'g' });
      await until('another member has it', () => next.messages.length === 1);
    });

    it('reports when `revoked` throws, and stops in order', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      let assigned = false;
      const handlers = { ...silent, assigned: () => void (assigned = true), revoked: throwBug };
      const subscription: Subscription = await bus.subscribe({ topic, group: 'g', fromStart: true, handlers });
      await until('assignment', () => assigned);
      await subscription.stop();
      expect(await subscription.failed).toBe(bug);
    });

    it('stops a follower, whose successor reads everything', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 2, cleanup: 'compact' });
      for (const partition of [0, 1]) await bus.publish(topic, partition, [text(`at ${partition}`, `k${partition}`)]);
      let handed = 0;
      const follower = await bus.follow({ topic, onMessages: () => { handed += 1; throw bug; } });
      expect(await follower.failed).toBe(bug);
      await follower.stop();
      expect(handed).toBe(1);
      const values: string[] = [];
      const onMessages = (messages: ReceivedMessage[]): void => void values.push(...messages.map(({ value }) => String(value)));
      const next = await bus.follow({ topic, onMessages });
      await next.caughtUp;
      expect(values.sort()).toEqual(['at 0', 'at 1']);
    });
  });

  it('an ordinary stop is no failure', async () => {
    const bus = await open();
    const topic = await makeTopic(bus, { partitions: 1 });
    const member = await record(bus, { topic, group: 'g' });
    const follower = await bus.follow({ topic, onMessages: () => undefined });
    const failed = Promise.race([member.subscription.failed, follower.failed]).then(() => 'failed');
    const stopped = Promise.all([member.subscription.stop(), follower.stop()])
      .then(() => new Promise<string>((resolve) => setImmediate(resolve, 'stopped')));
    expect(await Promise.race([failed, stopped])).toBe('stopped');
  });
}
