import type { EventBus, PublishResult, ReceivedMessage } from '@sluice/ports';
import { record, until } from '@sluice/ports/testing';
import { cutProxy, startPostgres, testDatabase, type TestDatabase } from '@sluice/testkit';
import { Pool } from 'pg';
import { createEmbeddedBus, type EmbeddedBusOptions } from './create-embedded-bus';
import { tidyUp } from './housekeeping';

const topic = { name: 'faults', partitions: 2, cleanup: 'delete' as const, retentionMs: 3_600_000 };
const message = (value: string): { key: string; value: Buffer } => ({ key: value, value: Buffer.from(value) });

/** Everything the topic holds, by value. */
async function contents(bus: EventBus, name: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const follower = await bus.follow({
    topic: name,
    onMessages: (messages) => messages.forEach(({ value }) => found.set(String(value), (found.get(String(value)) ?? 0) + 1)),
  });
  await follower.caughtUp;
  await follower.stop();
  return found;
}

describe('the bus on embedded Postgres, when things break', () => {
  let database: TestDatabase;
  let buses: EventBus[] = [];
  const open = (options: EmbeddedBusOptions = {}): EventBus => {
    const bus = createEmbeddedBus({ connectionString: database.url, ...options });
    buses.push(bus);
    return bus;
  };
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    buses = [];
    await database.drop();
  });

  it('answers unknown when the answer of an append is lost, and refused when nothing can be sent', async () => {
    const url = new URL(database.url);
    const proxy = await cutProxy(Number(url.port));
    url.port = String(proxy.port);
    const bus = open({ connectionString: url.href, publishTimeoutMs: 1_000 });
    await bus.ensureTopics([topic]);
    expect(await bus.publish(topic.name, 0, [message('before')])).toEqual({ ok: true });

    let appended = false;
    proxy.filter((direction, data) => {
      if (direction === 'toServer' && data.includes('lost-answer')) appended = true;
      return direction === 'toClient' && appended ? 'reset' : 'pass';
    });
    expect(await bus.publish(topic.name, 0, [message('lost-answer')])).toMatchObject({ ok: false, outcome: 'unknown' });
    proxy.heal();
    expect(await bus.publish(topic.name, 0, [message('between')])).toEqual({ ok: true });
    proxy.blackhole('toClient');
    expect(await bus.publish(topic.name, 0, [message('silent')])).toMatchObject({ ok: false, outcome: 'unknown' });
    proxy.heal();
    proxy.cut();
    await until('the cut to be noticed', () => !bus.healthy());
    expect(await bus.publish(topic.name, 0, [message('never-sent')])).toMatchObject({ ok: false, outcome: 'refused' });
    proxy.heal();
    await until('health', () => bus.healthy());
    expect(await bus.publish(topic.name, 0, [message('after')])).toEqual({ ok: true });
    const direct = open();
    expect([...(await contents(direct, topic.name))]).toEqual(
      ['before', 'lost-answer', 'between', 'silent', 'after'].map((value) => [value, 1]),
    );
    await proxy.stop();
  });

  it('gives the partitions of its earlier run to a restarted process at once', async () => {
    const url = new URL(database.url);
    const proxy = await cutProxy(Number(url.port));
    url.port = String(proxy.port);
    const leaseMs = 600_000;
    const owned = new Set<number>();
    const handlers = (owner: Set<number>) => ({
      assigned: (partition: number) => void owner.add(partition),
      revoked: (partition: number) => void owner.delete(partition),
      messages: () => undefined,
    });
    const first = open({ connectionString: url.href, member: 'one', leaseMs });
    await first.ensureTopics([topic]);
    const before = new Set<number>();
    await first.subscribe({ topic: topic.name, group: 'g', handlers: handlers(before) });
    await until('the first run', () => before.size === 2);
    proxy.cut();
    const second = open({ member: 'one', leaseMs, takeOver: true });
    await second.subscribe({ topic: topic.name, group: 'g', handlers: handlers(owned) });
    await until('the second run', () => owned.size === 2);
    await proxy.stop();
  });

  it('keeps the messages that retention and compaction require', async () => {
    const bus = open();
    await bus.ensureTopics([{ ...topic, retentionMs: 50 }, { ...topic, name: 'compacted', cleanup: 'compact' }]);
    await bus.publish(topic.name, 0, Array.from({ length: 6_000 }, (_, index) => message(`old${index}`)));
    await bus.publish(
      'compacted',
      1,
      Array.from({ length: 1_200 }, (_, index) => ({ key: `key${index % 3}`, value: Buffer.from(`v${index}`) })),
    );
    await new Promise((resolve) => setTimeout(resolve, 60));
    const pool = new Pool({ connectionString: database.url });
    await tidyUp(pool, new AbortController().signal);
    await pool.end();
    await bus.publish(topic.name, 0, [message('new')]);
    expect([...(await contents(bus, topic.name)).keys()]).toEqual(['new']);
    expect([...(await contents(bus, 'compacted')).keys()]).toEqual(['v1197', 'v1198', 'v1199']);
    expect((await bus.lag(topic.name, 'g'))[0]).toEqual({ partition: 0, committed: 6_000n, end: 6_001n });
    expect((await bus.lag('compacted', 'g'))[1]?.end).toBe(1_200n);
  });

  it('reads a partition again from the start of the log when the offset is no longer kept', async () => {
    const bus = open();
    await bus.ensureTopics([{ ...topic, retentionMs: 50 }]);
    await bus.publish(topic.name, 0, [message('old')]);
    const member = await record(bus, { topic: topic.name, group: 'g' });
    await until('the old one', () => member.messages.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const pool = new Pool({ connectionString: database.url });
    await tidyUp(pool, new AbortController().signal);
    await pool.end();
    await bus.publish(topic.name, 0, [message('new')]);
    await until('the new one', () => member.messages.length === 2);
    member.subscription.rewind(0, 0n);
    await until('the new one again', () => member.messages.length === 3);
    expect(member.values()).toEqual(['old', 'new', 'new']);
  });
});

describe('the bus on embedded Postgres, over a crash of the server', () => {
  it('keeps everything it acknowledged, and readers resume by themselves', async () => {
    const postgres = await startPostgres();
    const bus = createEmbeddedBus({ connectionString: postgres.url, leaseMs: 1_500 });
    try {
      await bus.ensureTopics([topic]);
      const seen: ReceivedMessage[] = [];
      const handlers = {
        assigned: () => undefined,
        revoked: () => undefined,
        messages: (_: number, messages: ReceivedMessage[]) => void seen.push(...messages),
      };
      await bus.subscribe({ topic: topic.name, group: 'g', fromStart: true, handlers });
      const results = new Map<string, PublishResult>();
      let running = true;
      let count = 0;
      const publisher = async (partition: number): Promise<void> => {
        while (running) {
          const value = `m${(count += 1)}`;
          results.set(value, await bus.publish(topic.name, partition, [message(value)]));
          if (!results.get(value)?.ok) await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const publishers = [publisher(0), publisher(1), publisher(1)];
      const acknowledged = (): string[] => [...results].filter(([, result]) => result.ok).map(([value]) => value);
      await until('some messages', () => acknowledged().length > 100);
      await postgres.kill();
      const before = acknowledged().length;
      await until('refusals', () => [...results.values()].some((result) => !result.ok && result.outcome === 'refused'));
      await postgres.restart();
      await until('messages after the restart', () => acknowledged().length > before + 100);
      running = false;
      await Promise.all(publishers);
      const delivered = (): Set<string> => new Set(seen.map(({ value }) => String(value)));
      await until('everything acknowledged to arrive', () => acknowledged().every((value) => delivered().has(value)));
      for (const [value, result] of results)
        if (!result.ok && result.outcome === 'refused') expect(delivered()).not.toContain(value);
    } finally {
      await bus.close();
      await postgres.stop();
    }
  });
});
