import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { EventBus } from '@sluice/ports';
import { record, type Recorder } from '@sluice/ports/testing';
import { describeWithKafka, eventually, testKafka } from '@sluice/testkit';
import { createKafkaBus } from './create-kafka-bus';

/** Longer than a test may take: without the removal the partitions of a dead member would not move. */
const sessionTimeoutMs = 120_000;

describeWithKafka('a member that died and is removed', () => {
  const open: { bus: EventBus; cut(): void }[] = [];
  const topic = `test.${randomUUID()}`;

  async function start(name: string): Promise<{ bus: EventBus; cut(): void; member: Recorder }> {
    const { brokers } = await testKafka();
    const sockets = new Set<Socket>();
    let dead = false;
    const bus = createKafkaBus({
      brokers, clientId: 'removed', sessionTimeoutMs,
      connect: (target) => {
        const socket = connect(dead ? { host: '127.0.0.1', port: 1 } : target);
        sockets.add(socket);
        return socket;
      },
    });
    const cut = (): void => {
      dead = true;
      for (const socket of sockets) socket.destroy(new Error('crash'));
    };
    open.push({ bus, cut });
    await bus.ensureTopics([{ name: topic, partitions: 6, cleanup: 'delete', retentionMs: 3_600_000 }]);
    return { bus, cut, member: await record(bus, { topic, group: 'g', name }) };
  }
  const owns = (member: Recorder, count: number): Promise<void> =>
    eventually(() => { expect(member.owned.size).toBe(count); });

  afterAll(async () => { for (const { bus } of open) await bus.close(); });

  it('leaves its partitions to the others, also when the group already waits for it', async () => {
    const [one, two] = [await start('one'), await start('two')];
    await owns(one.member, 3);
    await owns(two.member, 3);
    two.cut();
    // The new member makes the group form a generation, which waits for the dead one.
    const three = await start('three');
    expect(await one.bus.removeMember(topic, 'g', 'two')).toBe(1);
    await owns(one.member, 3);
    await owns(three.member, 3);
    expect(await one.bus.removeMember(topic, 'g', 'two')).toBe(0);
  });
});
