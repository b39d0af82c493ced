import { setTimeout as sleep } from 'node:timers/promises';
import { type EventBus, type Logger, type PublishResult, type ReceivedMessage, silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { type CutProxy, cutProxy, describeWithKafka, freePort, startKafka, type TestKafka } from '@sluice/testkit';
import { Kafka, logLevel } from 'kafkajs';
import { createKafkaBus } from './create-kafka-bus';

const partitions = 3;
const message = (value: string): { key: string; value: Buffer } => ({ key: value, value: Buffer.from(value) });
const isProduce = (data: Buffer): boolean => data.length > 5 && data.readInt16BE(4) === 0;

describeWithKafka('the bus on Kafka, when things break', () => {
  let kafka: TestKafka;
  let proxy: CutProxy;
  let buses: EventBus[] = [];
  let topics = 0;

  beforeAll(async () => {
    const proxyPort = await freePort();
    kafka = await startKafka({ proxyPort });
    proxy = await cutProxy(kafka.behindProxyPort as number, { port: proxyPort });
  }, 180_000);
  afterEach(async () => {
    proxy.heal();
    await Promise.all(buses.map((bus) => bus.close()));
    buses = [];
  });
  afterAll(async () => {
    await proxy.stop();
    await kafka.stop();
  });

  const open = (way: 'direct' | 'proxied', requestTimeoutMs = 2_000, logger?: Logger): EventBus => {
    const brokers = way === 'direct' ? kafka.brokers : [`127.0.0.1:${proxy.port}`];
    const bus = createKafkaBus({ brokers, clientId: 'faults', requestTimeoutMs, ...(logger && { logger }) });
    buses.push(bus);
    return bus;
  };
  const makeTopic = async (bus: EventBus): Promise<string> => {
    const name = `faults-${(topics += 1)}`;
    await bus.ensureTopics([{ name, partitions, cleanup: 'delete', retentionMs: 3_600_000 }]);
    return name;
  };
  /** The offsets that are committed in a topic, of all groups. */
  const committedBy = async (topic: string): Promise<string[]> => {
    const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      const { groups } = await admin.listGroups();
      const ids = groups.map(({ groupId }) => groupId).filter((id) => id.endsWith(`.${topic}`));
      const offsets = await Promise.all(ids.map((groupId) => admin.fetchOffsets({ groupId, topics: [topic] })));
      return offsets.flat().flatMap((entry) => entry.partitions).map(({ offset }) => offset).filter((offset) => offset !== '-1');
    } finally {
      await admin.disconnect();
    }
  };
  const contents = async (name: string): Promise<Set<string>> => {
    const found = new Set<string>();
    const follower = await open('direct').follow({
      topic: name,
      onMessages: (messages) => messages.forEach(({ value }) => found.add(String(value))),
    });
    await follower.caughtUp;
    return found;
  };

  it('answers unknown when the answers of a produce are lost', async () => {
    const bus = open('proxied');
    const topic = await makeTopic(bus);
    expect(await bus.publish(topic, 0, [message('before')])).toEqual({ ok: true });
    for (const [value, fate] of [['reset', 'reset'], ['silence', 'drop']] as const) {
      let produced = false;
      proxy.filter((direction, data) => {
        if (direction === 'toServer' && isProduce(data)) produced = true;
        return direction === 'toClient' && produced ? fate : 'pass';
      });
      expect(await bus.publish(topic, 0, [message(value)])).toMatchObject({ ok: false, outcome: 'unknown' });
      proxy.heal();
    }
    await until('an answer', async () => (await bus.publish(topic, 0, [message('after')])).ok);
    expect(await contents(topic)).toEqual(new Set(['before', 'reset', 'silence', 'after']));
  }, 120_000);

  it('acknowledges only messages in the log, and refuses only messages not in it, while connections break', async () => {
    const bus = open('proxied');
    const topic = await makeTopic(bus);
    const results = new Map<string, PublishResult>();
    let running = true;
    let count = 0;
    const publisher = async (partition: number): Promise<void> => {
      while (running) {
        const value = `m${(count += 1)}`;
        results.set(value, await bus.publish(topic, partition, [message(value)]));
      }
    };
    const publishers = Array.from({ length: 12 }, (_, index) => publisher(index % partitions));
    const answered = (): number => results.size;
    for (let round = 0; round < 15; round += 1) {
      const target = answered() + 60;
      await until('answers', () => answered() >= target);
      let pieces = round % 5;
      // From the nth answer on everything is cut, at a different point in every round.
      proxy.filter((direction) => (direction === 'toClient' && (pieces -= 1) < 0 ? 'reset' : 'pass'));
      await new Promise((resolve) => setTimeout(resolve, round % 5 === 0 ? 2_500 : 60));
      proxy.heal();
    }
    running = false;
    await Promise.all(publishers);
    const found = await contents(topic);
    const outcomes = { ok: 0, unknown: 0, refused: 0 };
    for (const [value, result] of results) {
      const outcome = result.ok ? 'ok' : result.outcome;
      outcomes[outcome] += 1;
      if (outcome === 'ok') expect(found).toContain(value);
      if (outcome === 'refused') expect(found).not.toContain(value);
    }
    expect(outcomes.ok).toBeGreaterThan(500);
    expect(outcomes.unknown).toBeGreaterThan(0);
  }, 180_000);

  it('refuses while the broker is down; afterwards publishing and reading resume by themselves', async () => {
    const warnings: string[] = [];
    const bus = open('direct', 2_000, { ...silentLogger, warn: (text) => void warnings.push(text) });
    const topic = await makeTopic(bus);
    const seen: ReceivedMessage[] = [];
    const followed: string[] = [];
    const handlers = {
      assigned: () => undefined,
      revoked: () => undefined,
      messages: (_: number, messages: ReceivedMessage[]) => void seen.push(...messages),
    };
    await bus.subscribe({ topic, group: 'g', fromStart: true, handlers });
    await bus.follow({ topic, onMessages: (messages) => void followed.push(...messages.map(({ value }) => String(value))) });
    expect(await bus.publish(topic, 0, [message('before')])).toEqual({ ok: true });
    expect(await bus.publish(topic, 2, [message('read')])).toEqual({ ok: true });
    await until('the first messages', () => seen.length === 2 && followed.length === 2);
    await until('the position of the follower in the log', async () => (await committedBy(topic)).join() === '1,1');
    await kafka.kill();
    await until('a refusal', async () => {
      const result = await bus.publish(topic, 0, [message('down')]);
      return !result.ok && result.outcome === 'refused';
    });
    expect(await bus.publish(topic, 1, [message('never')])).toMatchObject({ ok: false, outcome: 'refused' });
    await until('ill health', () => !bus.healthy());
    const ended = (): string[] => warnings.filter((text) => text.includes('consumer ended'));
    await until('the end of both consumers', () => ended().length === 2, 40_000);
    await kafka.restart();
    await until('publishing', async () => (await bus.publish(topic, 0, [message('after')])).ok);
    await until('reading', () => seen.some(({ value }) => String(value) === 'after') && followed.includes('after'), 40_000);
    await until('health', () => bus.healthy());
    expect(seen.map(({ value }) => String(value))).not.toContain('never');
    // Nothing new comes in the partition of 'read': its readers wait, and start no other consumer. Time for three looks.
    await sleep(6_500);
    expect(warnings.filter((text) => text.includes('did not fetch'))).toEqual([]);
  }, 180_000);
});
