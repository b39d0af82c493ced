import { text, texts, record } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { until } from '../shared/until';

export function publishTests({ open, topic: makeTopic }: BusSuite): void {
  describe('publishing', () => {
    it('keeps keys, values, headers, offsets and times', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      const sent = [
        { key: 'a', value: Buffer.from([0, 255, 7]), headers: { kind: 'x', 'other-one': 'größer' } },
        { key: 'b', value: null },
        { key: 'ü', value: Buffer.alloc(0) },
      ];
      const before = Date.now();
      expect(await bus.publish(topic, 2, sent)).toEqual({ ok: true });
      const member = await record(bus, { topic, group: 'g' });
      await until('three messages', () => member.messages.length === 3);
      expect(
        member.messages.map(({ key, value, partition, offset }) => ({ key, value: value && [...value], partition, offset })),
      ).toEqual([
        { key: 'a', value: [0, 255, 7], partition: 2, offset: 0n },
        { key: 'b', value: null, partition: 2, offset: 1n },
        { key: 'ü', value: [], partition: 2, offset: 2n },
      ]);
      expect(member.messages[0]?.headers).toEqual(sent[0]?.headers);
      expect(Object.keys(member.messages[1]?.headers ?? {})).toEqual([]);
      for (const { timestamp } of member.messages) expect(Math.abs(timestamp - before)).toBeLessThan(60_000);
    });

    it('keeps the order of each partition with several publishers', async () => {
      const [one, two] = [await open(), await open()];
      const topic = await makeTopic(one);
      const publishAll = (prefix: string, bus: typeof one): Promise<unknown>[] =>
        Array.from({ length: 60 }, (_, index) =>
          bus.publish(topic, index % 4, [text(`${prefix}${index}a`), text(`${prefix}${index}b`)]),
        );
      const results = await Promise.all([...publishAll('x', one), ...publishAll('y', two)]);
      expect(results).toEqual(results.map(() => ({ ok: true })));
      const member = await record(one, { topic, group: 'g' });
      await until('240 messages', () => member.messages.length >= 240);
      for (const partition of [0, 1, 2, 3]) {
        expect(member.messages.filter((message) => message.partition === partition).map(({ offset }) => offset)).toEqual(
          [...Array(60).keys()].map(BigInt),
        );
        for (const prefix of ['x', 'y']) {
          const expected = [...Array(15).keys()].flatMap((turn) => [
            `${prefix}${turn * 4 + partition}a`,
            `${prefix}${turn * 4 + partition}b`,
          ]);
          expect(member.values(partition).filter((value) => value.startsWith(prefix))).toEqual(expected);
        }
        // Messages of one call stay together.
        const values = member.values(partition);
        values.forEach((value, index) => value.endsWith('a') && expect(values[index + 1]).toBe(value.replace(/a$/, 'b')));
      }
    });

    it('refuses messages beyond its buffer, and none of them reaches the log', async () => {
      const bus = await open({ maxBufferBytes: 4_000 });
      const topic = await makeTopic(bus);
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => bus.publish(topic, 0, [text(`${index}`.padEnd(1_000))])),
      );
      const accepted = results.filter((result) => result.ok).length;
      expect(accepted).toBeGreaterThan(0);
      expect(accepted).toBeLessThan(5);
      for (const result of results) if (!result.ok) expect(result.outcome).toBe('refused');
      expect(await bus.publish(topic, 0, [text('room again')])).toEqual({ ok: true });
      expect((await bus.lag(topic, 'g'))[0]?.end).toBe(BigInt(accepted + 1));
    });

    it('takes large batches', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      const big = texts('m', 3_000).map((message) => ({ ...message, value: Buffer.alloc(300, message.value as Buffer) }));
      expect(await bus.publish(topic, 1, big.slice(0, 1_500))).toEqual({ ok: true });
      expect(await bus.publish(topic, 1, big.slice(1_500))).toEqual({ ok: true });
      const member = await record(bus, { topic, group: 'g' });
      await until('3,000 messages', () => member.messages.length === 3_000);
      expect(member.messages.every((message, index) => message.value?.equals(big[index]?.value as Buffer))).toBe(true);
    });

    it('refuses partitions and topics that do not exist', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      expect(await bus.publish(topic, 4, [text('x')])).toMatchObject({ ok: false, outcome: 'refused' });
      expect(await bus.publish(`${topic}.missing`, 0, [text('x')])).toMatchObject({ ok: false, outcome: 'refused' });
      expect(await bus.publish(topic, 3, [text('x')])).toEqual({ ok: true });
    });

    it('refuses after it was closed', async () => {
      const bus = await open();
      const topic = await makeTopic(bus);
      const last = bus.publish(topic, 0, [text('last')]);
      await bus.close();
      expect(await last).toEqual({ ok: true });
      expect(await bus.publish(topic, 0, [text('x')])).toMatchObject({ ok: false, outcome: 'refused' });
    });

    it('creates topics once and refuses another cleanup policy', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 3, cleanup: 'compact' });
      expect(await bus.partitions(topic)).toBe(3);
      const settings = { name: topic, partitions: 3, cleanup: 'compact' as const, retentionMs: 0 };
      await (await open()).ensureTopics([settings]);
      expect(await bus.partitions(topic)).toBe(3);
      await expect(bus.ensureTopics([{ ...settings, cleanup: 'delete' }])).rejects.toThrow(topic);
      await expect(bus.partitions(`${topic}.missing`)).rejects.toThrow('missing');
      expect(bus.healthy()).toBe(true);
    });

    it('uses an existing topic with more partitions than wanted, and refuses one with fewer', async () => {
      const bus = await open();
      const topic = await makeTopic(bus, { partitions: 3 });
      const settings = { name: topic, cleanup: 'delete' as const, retentionMs: 3_600_000 };
      const other = await open();
      await other.ensureTopics([{ ...settings, partitions: 2 }]);
      expect(await other.partitions(topic)).toBe(3);
      // The message names the topic and both counts.
      await expect((await open()).ensureTopics([{ ...settings, partitions: 4 }])).rejects.toThrow(
        new RegExp(`${topic} has 3 partitions.* 4`),
      );
      expect(await bus.partitions(topic)).toBe(3);
    });
  });
}
