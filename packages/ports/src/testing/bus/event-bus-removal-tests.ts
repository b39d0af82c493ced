import { record, text } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { until } from '../shared/until';

/** Members that are taken out of their group by others. */
export function removalTests({ lab, open, topic: makeTopic }: BusSuite): void {
  describe('members that are removed', () => {
    it('lose their partitions and join again when they live, and nothing is lost', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      const first = await record(one, { topic, group: 'g', name: 'a' });
      const second = await record(two, { topic, group: 'g', name: 'b' });
      await until('an even share', () => first.owned.size === 2 && second.owned.size === 2);
      const lost = [...first.owned];
      expect(await two.removeMember(topic, 'g', 'a')).toBe(1);
      await until('its partitions are revoked', () => lost.every((partition) => first.moves.includes(`-${partition}`)));
      await until('an even share again', () => first.owned.size === 2 && second.owned.size === 2);
      await Promise.all([0, 1, 2, 3].map((partition) => two.publish(topic, partition, [text(`p${partition}`)])));
      const seen = (): string[] => [...new Set([...first.values(), ...second.values()])].sort();
      await until('all messages', () => seen().length === 4);
    });

    it('are those of the name, of the group and of the topic', async () => {
      const bus = await open();
      const [topic, other] = [await makeTopic(bus), await makeTopic(bus)];
      const member = await record(bus, { topic, group: 'g', name: 'a' });
      await until('everything', () => member.owned.size === 4);
      expect(await bus.removeMember(topic, 'g', 'b')).toBe(0);
      expect(await bus.removeMember(topic, 'h', 'a')).toBe(0);
      expect(await bus.removeMember(other, 'g', 'a')).toBe(0);
    });

    it('leave their partitions to the others when they died', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      const first = await record(one, { topic, group: 'g', name: 'a' });
      const second = await record(two, { topic, group: 'g', name: 'b' });
      await until('an even share', () => first.owned.size === 2 && second.owned.size === 2);
      await lab().crash(two);
      await one.removeMember(topic, 'g', 'b');
      await until('everything', () => first.owned.size === 4);
    });
  });
}
