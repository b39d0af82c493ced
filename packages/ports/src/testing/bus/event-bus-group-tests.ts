import { type Recorder, record, text, texts } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { until } from '../shared/until';

const distinct = (...members: Recorder[]): number => new Set(members.flatMap((member) => member.values())).size;

export function groupTests({ lab, open, topic: makeTopic }: BusSuite): void {
  describe('groups', () => {
    it('share partitions among members; every message reaches one of them', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      const members = [await record(one, { topic, group: 'g' }), await record(two, { topic, group: 'g' })] as const;
      await until('an even share', () => members[0].owned.size === 2 && members[1].owned.size === 2);
      await Promise.all([0, 1, 2, 3].map((partition) => one.publish(topic, partition, texts(`p${partition}-`, 10))));
      await until('all messages', () => distinct(...members) === 40);
      expect(members[0].messages.length + members[1].messages.length).toBe(40);
      expect(new Set([...members[0].owned, ...members[1].owned]).size).toBe(4);
    });

    it('are independent of each other', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      await bus.publish(topic, 0, texts('m', 3));
      const members = [await record(bus, { topic, group: 'one' }), await record(bus, { topic, group: 'two' })];
      await until('both', () => members.every((member) => member.messages.length === 3));
    });

    it('of one name on two topics are two groups', async () => {
      const bus = await open();
      const [left, right] = [await makeTopic(bus), await makeTopic(bus)];
      const members = [await record(bus, { topic: left, group: 'g' }), await record(bus, { topic: right, group: 'g' })] as const;
      await until('all partitions of both', () => members.every((member) => member.owned.size === 4));
      await bus.publish(left, 1, texts('left-', 2));
      await bus.publish(right, 2, texts('right-', 2));
      await until('their own messages', () => members.every((member) => member.messages.length === 2));
      expect(members[0].values()).toEqual(['left-0', 'left-1']);
    });

    it('revoke a partition before another member gets it, and move only what is needed', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      const journal: string[] = [];
      const first = await record(one, { topic, group: 'g', name: 'a', journal });
      await until('everything', () => first.owned.size === 4);
      await Promise.all([0, 1, 2, 3].map((partition) => one.publish(topic, partition, texts('m', 3))));
      await until('all messages', () => first.messages.length === 12);
      const second = await record(two, { topic, group: 'g', name: 'b', journal });
      await until('an even share', () => first.owned.size === 2 && second.owned.size === 2);
      for (const partition of second.owned) {
        expect(journal.indexOf(`a-${partition}`)).toBeGreaterThan(-1);
        expect(journal.indexOf(`a-${partition}`)).toBeLessThan(journal.indexOf(`b+${partition}`));
      }
      const kept = new Set(first.owned);
      await second.subscription.stop();
      await until('everything again', () => first.owned.size === 4);
      expect(second.owned.size).toBe(0);
      await Promise.all([...kept].map((partition) => one.publish(topic, partition, [text('after')])));
      await until('messages after it', () => [...kept].every((partition) => first.values(partition).includes('after')));
      for (const partition of kept) {
        expect(journal.filter((move) => move.endsWith(`${partition}`))).toEqual([`a+${partition}`]);
        // A partition that stays goes on: what was handed over but not yet committed does not come again.
        expect(first.values(partition)).toEqual(['m0', 'm1', 'm2', 'after']);
      }
    });

    it('resume at the committed offset', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      await bus.publish(topic, 3, texts('m', 10));
      const first = await record(bus, { topic, group: 'g' });
      await until('ten', () => first.messages.length === 10);
      await first.subscription.commit([{ partition: 3, next: 7n }]);
      expect((await bus.lag(topic, 'g'))[3]).toEqual({ partition: 3, committed: 7n, end: 10n });
      await first.subscription.stop();
      const second = await record(await open(), { topic, group: 'g', fromStart: false });
      await until('the rest', () => second.messages.length >= 3);
      expect(second.values()).toEqual(['m7', 'm8', 'm9']);
    });

    it('report the lag of every partition', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      await bus.publish(topic, 1, texts('m', 5));
      expect(await bus.lag(topic, 'nobody')).toEqual(
        [0, 1, 2, 3].map((partition) => ({ partition, committed: 0n, end: partition === 1 ? 5n : 0n })),
      );
    });

    it('report since when the oldest unread message of a group waits', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      expect(await bus.oldestUnread(topic, 'g')).toBeNull();
      const before = Date.now();
      await bus.publish(topic, 1, texts('old', 2));
      // Longer than the second to which a log may be off, so that the two can be told apart.
      await until('a later time', () => Date.now() > before + 2_500);
      const between = Date.now();
      await bus.publish(topic, 2, texts('new', 2));
      const oldest = await bus.oldestUnread(topic, 'g');
      expect(oldest).toBeGreaterThanOrEqual(before - 1_000);
      expect(oldest).toBeLessThanOrEqual(between - 500);
      const reader = await record(bus, { topic, group: 'g' });
      await until('all', () => reader.messages.length === 4);
      await reader.subscription.commit([{ partition: 1, next: 2n }]);
      expect(await bus.oldestUnread(topic, 'g')).toBeGreaterThanOrEqual(between - 1_000);
      await reader.subscription.commit([{ partition: 2, next: 2n }]);
      expect(await bus.oldestUnread(topic, 'g')).toBeNull();
    });

    it('ignore commits of partitions that moved away', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      await Promise.all([0, 1, 2, 3].map((partition) => one.publish(topic, partition, texts('m', 4))));
      const first = await record(one, { topic, group: 'g' });
      await until('all', () => first.messages.length === 16);
      const second = await record(two, { topic, group: 'g' });
      await until('an even share', () => first.owned.size === 2 && second.owned.size === 2);
      await first.subscription.commit([0, 1, 2, 3].map((partition) => ({ partition, next: 3n })));
      const committed = (await one.lag(topic, 'g')).map((entry) => entry.committed);
      expect(committed).toEqual([0, 1, 2, 3].map((partition) => (first.owned.has(partition) ? 3n : 0n)));
    });

    it('deliver again the messages that a stopped member had not committed', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      await Promise.all([0, 1, 2, 3].map((partition) => one.publish(topic, partition, texts(`p${partition}-`, 5))));
      const first = await record(one, { topic, group: 'g' });
      await until('all', () => first.messages.length === 20);
      await first.subscription.commit([{ partition: 0, next: 5n }]);
      await first.subscription.stop();
      expect(first.owned.size).toBe(0);
      const second = await record(two, { topic, group: 'g' });
      await until('what was open', () => second.messages.length >= 15);
      expect(second.values(0)).toEqual([]);
      for (const partition of [1, 2, 3])
        expect(second.values(partition)).toEqual([0, 1, 2, 3, 4].map((index) => `p${partition}-${index}`));
    });

    it('lose nothing when a member crashes', async () => {
      const [one, two, three] = [await open(), await open(), await open()];
      const topic = await makeTopic(one);
      const first = await record(one, { topic, group: 'g' });
      const second = await record(two, { topic, group: 'g' });
      await until('an even share', () => first.owned.size === 2 && second.owned.size === 2);
      await Promise.all([0, 1, 2, 3].map((partition) => three.publish(topic, partition, texts(`p${partition}-`, 20))));
      await until('all', () => distinct(first, second) === 80);
      await second.subscription.commit([...second.owned].map((partition) => ({ partition, next: 10n })));
      const lost = [...second.owned];
      await lab().crash(two);
      for (const partition of lost) await three.publish(topic, partition, [text(`p${partition}-after`)]);
      const expected = (partition: number): string[] => [
        ...[...Array(10).keys()].map((index) => `p${partition}-${index + 10}`),
        `p${partition}-after`,
      ];
      await until('the partitions of the crashed member', () => lost.every((partition) => first.values(partition).length >= 11));
      for (const partition of lost) expect(first.values(partition)).toEqual(expected(partition));
      expect(first.owned.size).toBe(4);
    });

    it('stop only when no handler runs any more', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, [text('one')]);
      let running = false;
      const member = await record(bus, {
        topic,
        group: 'g',
        onMessages: async () => {
          running = true;
          await new Promise((resolve) => setTimeout(resolve, 200));
          running = false;
        },
      });
      await until('the handler', () => running);
      await member.subscription.stop();
      expect(running).toBe(false);
      expect(member.owned.size).toBe(0);
    });
  });
}
