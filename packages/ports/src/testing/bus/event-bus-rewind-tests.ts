import { type Recorder, record, text, texts } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { until } from '../shared/until';

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => `m${from + index}`);

export function rewindTests({ open, topic: makeTopic }: BusSuite): void {
  describe('reading a partition again', () => {
    it('continues at the offset, in order, and does not change the other partitions', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      for (const partition of [1, 2]) await bus.publish(topic, partition, texts('m', 10));
      const member = await record(bus, { topic, group: 'g' });
      await until('all', () => member.messages.length === 20);
      member.subscription.rewind(1, 4n);
      await until('some again', () => member.values(1).length === 16);
      await bus.publish(topic, 1, [text('new')]);
      await until('the new one', () => member.values(1).includes('new'));
      expect(member.values(1)).toEqual([...numbered(0, 10), ...numbered(4, 10), 'new']);
      expect(member.messages.slice(20).map(({ offset }) => offset)).toEqual([4n, 5n, 6n, 7n, 8n, 9n, 10n]);
      expect(member.values(2)).toEqual(numbered(0, 10));
    });

    it('drops the batch in the handler and those not delivered yet; never two batches at once', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, texts('m', 3));
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let [running, overlapped] = [false, false];
      const member = await record(bus, {
        topic,
        group: 'g',
        onMessages: async () => {
          overlapped ||= running;
          running = true;
          await released;
          running = false;
        },
      });
      await until('a batch with the handler', () => running);
      const seen = member.messages.length;
      await bus.publish(topic, 0, texts('later', 3));
      member.subscription.rewind(0, 1n);
      // Time for a reader that does not wait for the handler.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(member.messages.length).toBe(seen);
      release();
      await until('all from the offset on', () => member.messages.length === seen + 5);
      expect(member.values().slice(seen)).toEqual(['m1', 'm2', 'later0', 'later1', 'later2']);
      expect(overlapped).toBe(false);
    });

    it('may be asked for inside a handler', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      let rewound = false;
      const member: Recorder = await record(bus, {
        topic,
        group: 'g',
        onMessages: (partition) => {
          if (rewound) return;
          rewound = true;
          member.subscription.rewind(partition, 0n);
        },
      });
      await until('assignment', () => member.owned.size === 1);
      await bus.publish(topic, 0, texts('m', 3));
      await until('all after the first look', () => member.values().slice(1).join(' ').endsWith('m0 m1 m2'));
    });

    it('waits while the partition is paused', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, texts('m', 3));
      const member = await record(bus, { topic, group: 'g' });
      await until('all', () => member.messages.length === 3);
      member.subscription.pause(0);
      member.subscription.rewind(0, 1n);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(member.messages.length).toBe(3);
      member.subscription.resume(0);
      await until('the rest again', () => member.messages.length === 5);
      expect(member.values().slice(3)).toEqual(['m1', 'm2']);
    });

    it('lets the group commit an earlier offset than before', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, texts('m', 10));
      const member = await record(bus, { topic, group: 'g' });
      await until('all', () => member.messages.length === 10);
      await member.subscription.commit([{ partition: 0, next: 10n }]);
      member.subscription.rewind(0, 3n);
      await member.subscription.commit([{ partition: 0, next: 3n }]);
      expect(await bus.lag(topic, 'g')).toEqual([{ partition: 0, committed: 3n, end: 10n }]);
    });

    it('has no effect for a member that does not own the partition', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one, { partitions: 2 });
      const members = [await record(one, { topic, group: 'g' }), await record(two, { topic, group: 'g' })] as const;
      await until('an even share', () => members.every(({ owned }) => owned.size === 1));
      const [foreign] = members[1].owned;
      await one.publish(topic, foreign!, texts('m', 3));
      await until('all', () => members[1].messages.length === 3);
      members[0].subscription.rewind(foreign!, 0n);
      await one.publish(topic, foreign!, [text('new')]);
      await until('the new one', () => members[1].values().includes('new'));
      expect(members[1].values()).toEqual([...numbered(0, 3), 'new']);
      expect(members[0].messages).toEqual([]);
    });
  });
}
