import type { ReceivedMessage } from '../../event-bus';
import { record, text, texts } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { until } from '../shared/until';

export function deliveryTests({ open, topic: makeTopic }: BusSuite): void {
  describe('delivering', () => {
    it('delivers one batch of a partition at a time, in order, and partitions in parallel', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      const running = new Set<number>();
      let overlapped = false;
      let together = 0;
      const member = await record(bus, {
        topic,
        group: 'g',
        onMessages: async (partition) => {
          overlapped ||= running.has(partition);
          running.add(partition);
          together = Math.max(together, running.size);
          await new Promise((resolve) => setTimeout(resolve, 30));
          running.delete(partition);
        },
      });
      for (let round = 0; round < 10; round += 1)
        await Promise.all([0, 1, 2, 3].map((partition) => bus.publish(topic, partition, texts(`${round}-`, 5))));
      await until('200 messages', () => member.messages.length === 200);
      expect(overlapped).toBe(false);
      expect(together).toBeGreaterThan(1);
      const inOrder = [...Array(10).keys()].flatMap((round) => [...Array(5).keys()].map((index) => `${round}-${index}`));
      for (const partition of [0, 1, 2, 3]) expect(member.values(partition)).toEqual(inOrder);
    });

    it('starts a new group at the end, or at the start when asked', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, [text('old')]);
      const late = await record(bus, { topic, group: 'late', fromStart: false });
      const full = await record(bus, { topic, group: 'full', fromStart: true });
      await until('assignments', () => late.owned.size + full.owned.size === 2);
      // A position at the end may be settled shortly after the assignment: publish until it is seen.
      let count = 0;
      await until(
        'new messages',
        async () => (await bus.publish(topic, 0, [text(`new${(count += 1)}`)])).ok && late.messages.length > 0,
      );
      expect(late.values()[0]).toMatch(/^new/);
      await until('the old one', () => full.messages.length > 0);
      expect(full.values()[0]).toBe('old');
    });

    it('pauses and resumes single partitions', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      const member = await record(bus, { topic, group: 'g' });
      await until('assignment', () => member.owned.size === 4);
      await bus.publish(topic, 1, [text('first')]);
      await until('the first', () => member.values(1).length === 1);
      member.subscription.pause(1);
      await bus.publish(topic, 1, texts('held', 3));
      await bus.publish(topic, 2, [text('other')]);
      await until('the other partition', () => member.values(2).length === 1);
      await bus.publish(topic, 2, [text('other')]);
      await until('the other partition again', () => member.values(2).length === 2);
      expect(member.values(1)).toEqual(['first']);
      member.subscription.resume(1);
      await until('the held ones', () => member.values(1).length === 4);
      expect(member.values(1)).toEqual(['first', 'held0', 'held1', 'held2']);
    });

    it('can be paused inside a handler: no further batch is delivered, and nothing is lost', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1 });
      await bus.publish(topic, 0, [text('first')]);
      const member = await record(bus, { topic, group: 'g', onMessages: (partition) => member.subscription.pause(partition) });
      await until('the first', () => member.messages.length === 1);
      await bus.publish(topic, 0, texts('more', 3));
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(member.values()).toEqual(['first']);
      member.subscription.resume(0);
      await until('the rest', () => member.messages.length >= 2);
      expect(member.values()[1]).toBe('more0');
    });

    it('follows a compacted topic from its start and continues', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 2, cleanup: 'compact' });
      for (let round = 0; round < 3; round += 1) await bus.publish(topic, 0, [text(`a${round}`, 'a'), text(`b${round}`, 'b')]);
      await bus.publish(topic, 1, [{ key: 'c', value: null }, text('c1', 'c')]);
      const seen: ReceivedMessage[] = [];
      const follower = await bus.follow({ topic, onMessages: (messages) => void seen.push(...messages) });
      await follower.caughtUp;
      const newest = (): Record<string, string> => Object.fromEntries(seen.map(({ key, value }) => [key, String(value)]));
      expect(newest()).toEqual({ a: 'a2', b: 'b2', c: 'c1' });
      await (await open()).publish(topic, 0, [text('a3', 'a')]);
      await until('the newest', () => newest().a === 'a3');
      expect(follower.silentForMs()).toBeLessThan(15_000);
      await follower.stop();
    });

    it('two followers each see everything', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 1, cleanup: 'compact' });
      await bus.publish(topic, 0, [text('one')]);
      const seen: string[][] = [[], []];
      const followers = await Promise.all(
        seen.map((list) =>
          bus.follow({ topic, onMessages: (messages) => void list.push(...messages.map(({ value }) => String(value))) }),
        ),
      );
      await Promise.all(followers.map(({ caughtUp }) => caughtUp));
      expect(seen).toEqual([['one'], ['one']]);
    });

    it('has caught up at once on an empty topic', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 2, cleanup: 'compact' });
      const seen: string[] = [];
      const follower = await bus.follow({
        topic,
        onMessages: (messages) => void seen.push(...messages.map(({ value }) => String(value))),
      });
      await follower.caughtUp;
      expect(seen).toEqual([]);
      await bus.publish(topic, 1, [text('first')]);
      await until('the first', () => seen.length === 1);
    });
  });
}
