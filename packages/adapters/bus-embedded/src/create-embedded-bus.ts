import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { EventBus, PublishResult } from '@sluice/ports';
import { createPublishQueue } from '@sluice/ports/bus-kit';
import { Pool } from 'pg';
import { appendBatch } from './append-batch';
import { follow } from './follow';
import { startHousekeeping } from './housekeeping';
import { removeMembers } from './remove-members';
import { subscribe } from './subscribe';
import { createTopics, type KnownTopic } from './topics';
import { createWakeChannel } from './wake-channel';

export interface EmbeddedBusOptions {
  /** A pool of the caller (keeps one connection for itself, takes up to four more); not closed here. */
  pool?: Pool;
  /** Or where to connect with a small pool of its own. */
  connectionString?: string;
  /** Names this process across restarts. Default: the host's name. */
  member?: string;
  /** Evict members of the same name left by an earlier run at once. Only where one process of that name runs at a time. */
  takeOver?: boolean;
  /** Milliseconds without a sign of life after which others take a member's partitions. Default 5,000. */
  leaseMs?: number;
  /** Milliseconds between polls of the log when nothing wakes a reader. Default 500. */
  pollMs?: number;
  /** Bytes waiting to be appended; over it publishing is refused. Default 64 MiB. */
  maxBufferBytes?: number;
  /** Milliseconds after which messages that wait are refused instead of appended. Default 4,000. */
  publishMaxAgeMs?: number;
  /** Milliseconds until an append without an answer counts as unknown, the wait for its connection included. Default 5,000. */
  publishTimeoutMs?: number;
  /** Milliseconds that readers wait for a connection of the bus's own pool. Default 3,000. */
  connectionTimeoutMs?: number;
  /** Milliseconds between rounds of retention and compaction. Default 60,000. */
  housekeepingMs?: number;
}

/**
 * An event bus on Postgres, for installations without Kafka. Any number of processes may share one database; everything
 * is kept in the schema `sluice_bus`, which `ensureTopics` creates.
 */
export function createEmbeddedBus(options: EmbeddedBusOptions): EventBus {
  const { leaseMs = 5_000, pollMs = 500, publishTimeoutMs = 5_000, housekeepingMs = 60_000 } = options;
  const pool = options.pool ?? ownPool(options);
  const identity = {
    installation: options.member ?? hostname(),
    instance: randomUUID(),
    leaseMs,
    takeOver: options.takeOver === true,
  };
  const topics = createTopics(pool);
  const wakes = createWakeChannel(pool);
  const housekeeping = startHousekeeping(pool, housekeepingMs);
  const open = new Set<{ stop(): Promise<void> }>();

  const queue = createPublishQueue({
    maxBufferBytes: options.maxBufferBytes,
    maxAgeMs: options.publishMaxAgeMs,
    send: async (name, batch) => {
      const { id } = topics.known(name) as KnownTopic;
      const result = await appendBatch(pool, id, batch, publishTimeoutMs);
      if (result.ok) wakes.ring(`t${id}`);
      return result;
    },
  });
  const push = (topic: KnownTopic, partition: number, messages: Parameters<EventBus['publish']>[2]): Promise<PublishResult> => {
    if (!(partition >= 0 && partition < topic.partitions)) return refuse(`Topic ${topic.name} has no partition ${partition}.`);
    if (messages.some(({ key }) => key.includes('\0'))) return refuse('A key contains a NUL character.');
    return queue.push(topic.name, partition, messages);
  };
  const track = <T extends { stop(): Promise<void> }>(reader: T): T => {
    open.add(reader);
    return reader;
  };

  return {
    ensureTopics: async (wanted) => {
      await topics.ensure(wanted);
      await Promise.all(wanted.map(({ name }) => topics.find(name)));
    },
    partitions: async (name) => (await topics.find(name)).partitions,
    publish: (name, partition, messages) => {
      const known = topics.known(name);
      if (known) return push(known, partition, messages);
      return topics.find(name).then(
        (topic) => push(topic, partition, messages),
        (error: Error) => refuse(error.message),
      );
    },
    subscribe: async ({ topic: name, group, handlers, fromStart, member = identity.installation }) => {
      const topic = await topics.find(name);
      const me = { ...identity, id: `${member}/${randomUUID()}` };
      return track(subscribe({ pool, wakes, topic, group, me, handlers, fromStart: fromStart === true, pollMs }));
    },
    removeMember: async (name, group, member) => removeMembers(pool, await topics.find(name), group, member),
    follow: async ({ topic: name, onMessages }) => {
      const topic = await topics.find(name);
      return track(await follow({ pool, wakes, topic, onMessages, pollMs }));
    },
    lag: async (name, group) => lag(pool, await topics.find(name), group),
    oldestUnread: async (name, group) => oldestUnread(pool, await topics.find(name), group),
    healthy: () => wakes.healthy(),
    close: async () => {
      await queue.close();
      await Promise.all([...open].map((reader) => reader.stop()));
      await Promise.all([wakes.close(), housekeeping.stop()]);
      if (!options.pool && !pool.ended) await pool.end();
    },
  };
}

function ownPool({ connectionString, connectionTimeoutMs = 3_000 }: EmbeddedBusOptions): Pool {
  if (!connectionString) throw new Error('createEmbeddedBus needs a pool or a connection string.');
  const pool = new Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: connectionTimeoutMs,
    keepAlive: true,
    query_timeout: 30_000,
    application_name: 'sluice-bus',
  });
  // Idle connections that break are replaced on the next use, which reports what still is wrong.
  pool.on('error', () => undefined);
  return pool;
}

function refuse(message: string): Promise<PublishResult> {
  return Promise.resolve({ ok: false, outcome: 'refused', message });
}

async function lag(
  pool: Pool,
  topic: KnownTopic,
  group: string,
): Promise<{ partition: number; committed: bigint; end: bigint }[]> {
  const { rows } = await pool.query<{ partition: number; committed: string; end: string }>(
    `SELECT p.partition, coalesce(c.next_offset, p.log_start) AS committed, p.next_offset AS end
     FROM sluice_bus.partitions p LEFT JOIN sluice_bus.cursors c
       ON c.topic_id = p.topic_id AND c.partition = p.partition AND c.group_name = $2
     WHERE p.topic_id = $1 ORDER BY p.partition`,
    [topic.id, group],
  );
  return rows.map(({ partition, committed, end }) => ({ partition, committed: BigInt(committed), end: BigInt(end) }));
}

/** One read per partition of its next message, by the primary key; compaction may have deleted the message itself. */
async function oldestUnread(pool: Pool, topic: KnownTopic, group: string): Promise<number | null> {
  const { rows } = await pool.query<{ oldest: Date | null }>(
    `SELECT min(m.created_at) AS oldest
     FROM sluice_bus.partitions p
     LEFT JOIN sluice_bus.cursors c ON c.topic_id = p.topic_id AND c.partition = p.partition AND c.group_name = $2
     CROSS JOIN LATERAL (
       SELECT created_at FROM sluice_bus.messages
       WHERE topic_id = p.topic_id AND partition = p.partition AND "offset" >= coalesce(c.next_offset, p.log_start)
       ORDER BY "offset" LIMIT 1
     ) m
     WHERE p.topic_id = $1`,
    [topic.id, group],
  );
  return rows[0]?.oldest?.getTime() ?? null;
}
