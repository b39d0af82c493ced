import type { FencedOffset } from '@sluice/ports/bus-kit';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from './in-transaction';
import { type Cursor, planGroup } from './plan-group';
import type { KnownTopic } from './topics';

/** Who a member is. `installation` names a process across restarts, `instance` this run of it. */
export interface MemberIdentity {
  id: string;
  installation: string;
  instance: string;
  /** Milliseconds without a sign of life after which the others take its partitions. */
  leaseMs: number;
  /** Remove members of earlier runs of this installation. */
  takeOver: boolean;
}

/** A partition of this member: the epoch that fences commits, and the start offset. */
export interface Ownership {
  partition: number;
  epoch: string;
  next: bigint;
  /** False: another member waits for it. */
  keep: boolean;
}

export interface GroupStoreOptions {
  pool: Pool;
  topic: KnownTopic;
  group: string;
  me: MemberIdentity;
  /** False: a partition without a committed offset is read from the end that the log has with its first assignment. */
  fromStart: boolean;
}

/**
 * A group's rows in the log, as one member changes them.
 *
 * Invariants:
 * - Owners and targets are changed under the lock of the group's row, so that members plan one after the other.
 * - A partition's epoch goes up with each change of its owner: a commit under an older one takes no effect.
 */
export class GroupStore {
  /** Whether the rows of the group exist, and the members of earlier runs of this installation are removed. */
  private joined = false;

  constructor(private readonly options: GroupStoreOptions) {}

  /** A heartbeat: renews the lease, removes dead members, passes partitions on; returns the partitions of this member. */
  async sync(reading: ReadonlySet<number>): Promise<Ownership[]> {
    const owned = await inTransaction(this.options.pool, async (client) => {
      // The next heartbeat replaces a lost one, so there is no need to wait for the disk.
      await client.query("SET LOCAL synchronous_commit = 'off'");
      if (!this.joined) await this.create(client);
      await this.lock(client);
      await this.renew(client);
      await this.removeDead(client);
      await this.plan(client, reading);
      return this.ownerships(client);
    });
    this.joined = true;
    return owned;
  }

  async leave(): Promise<void> {
    await inTransaction(this.options.pool, async (client) => {
      await this.lock(client);
      await client.query('DELETE FROM sluice_bus.members WHERE topic_id = $1 AND group_name = $2 AND id = $3', [
        ...this.scope(), this.options.me.id,
      ]);
      await this.plan(client, new Set());
    });
  }

  /** Takes effect only for partitions this member still has under the same epoch. */
  async commit(offsets: readonly FencedOffset<string>[]): Promise<void> {
    // The group's lock is taken first here too, so that a commit and a rebalance cannot deadlock.
    await this.options.pool.query(
      `WITH locked AS MATERIALIZED (
         SELECT set_config('synchronous_commit', 'off', true) FROM sluice_bus.groups WHERE topic_id = $1 AND name = $2 FOR SHARE)
       UPDATE sluice_bus.cursors c SET next_offset = w.next
       FROM locked, unnest($4::int[], $5::bigint[], $6::bigint[]) AS w(partition, epoch, next)
       WHERE c.topic_id = $1 AND c.group_name = $2 AND c.owner = $3 AND c.partition = w.partition AND c.epoch = w.epoch`,
      [
        ...this.scope(),
        this.options.me.id,
        offsets.map(({ partition }) => partition),
        offsets.map(({ token }) => token),
        offsets.map(({ next }) => String(next)),
      ],
    );
  }

  private async create(client: PoolClient): Promise<void> {
    await client.query(
      'INSERT INTO sluice_bus.groups (topic_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', this.scope(),
    );
    await client.query(
      `INSERT INTO sluice_bus.cursors (topic_id, group_name, partition)
       SELECT $1, $2, generate_series(0, $3 - 1) ON CONFLICT DO NOTHING`,
      [...this.scope(), this.options.topic.partitions],
    );
  }

  private async lock(client: PoolClient): Promise<void> {
    await client.query('SELECT 1 FROM sluice_bus.groups WHERE topic_id = $1 AND name = $2 FOR UPDATE', this.scope());
  }

  private async renew(client: PoolClient): Promise<void> {
    const { id, installation, instance, leaseMs } = this.options.me;
    await client.query(
      `INSERT INTO sluice_bus.members (topic_id, group_name, id, installation, instance, lease_until)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond')
       ON CONFLICT (topic_id, group_name, id) DO UPDATE SET lease_until = EXCLUDED.lease_until`,
      [...this.scope(), id, installation, instance, leaseMs],
    );
  }

  private async removeDead(client: PoolClient): Promise<void> {
    const { installation, instance, leaseMs, takeOver } = this.options.me;
    // While the server itself was down no member could renew: all members get one more lease.
    await client.query(
      `DELETE FROM sluice_bus.members WHERE topic_id = $1 AND group_name = $2 AND
         ((lease_until < clock_timestamp() AND pg_postmaster_start_time() < clock_timestamp() - $3 * interval '1 millisecond')
          OR ($4 AND installation = $5 AND instance <> $6))`,
      [...this.scope(), leaseMs, takeOver && !this.joined, installation, instance],
    );
  }

  /** Gives the partitions to the members that are left, as far as those that read them let go. */
  private async plan(client: PoolClient, reading: ReadonlySet<number>): Promise<void> {
    const members = await client.query<{ id: string }>(
      'SELECT id FROM sluice_bus.members WHERE topic_id = $1 AND group_name = $2', this.scope(),
    );
    const cursors = await client.query<Cursor>(
      'SELECT partition, owner, target FROM sluice_bus.cursors WHERE topic_id = $1 AND group_name = $2 ORDER BY partition',
      this.scope(),
    );
    const changes = planGroup(members.rows.map(({ id }) => id), cursors.rows, this.options.me.id, reading);
    if (changes.length > 0) await this.write(client, changes);
  }

  private async write(client: PoolClient, changes: readonly Cursor[]): Promise<void> {
    const { topic, group, fromStart } = this.options;
    await client.query("SET LOCAL synchronous_commit = 'on'");
    // A group that starts at the end stores that offset with its first assignment: nothing after it is skipped.
    await client.query(
      `UPDATE sluice_bus.cursors c SET owner = w.owner, target = w.target,
         epoch = c.epoch + (c.owner IS DISTINCT FROM w.owner)::int,
         next_offset = CASE WHEN $6 THEN c.next_offset ELSE coalesce(c.next_offset, p.next_offset) END
       FROM unnest($3::int[], $4::text[], $5::text[]) AS w(partition, owner, target), sluice_bus.partitions p
       WHERE c.topic_id = $1 AND c.group_name = $2 AND c.partition = w.partition AND p.topic_id = $1 AND p.partition = w.partition`,
      [
        ...this.scope(),
        changes.map(({ partition }) => partition),
        changes.map(({ owner }) => owner),
        changes.map(({ target }) => target),
        fromStart,
      ],
    );
    await client.query("SELECT pg_notify('sluice_bus', $1)", [`g${topic.id}:${group}`]);
  }

  private async ownerships(client: PoolClient): Promise<Ownership[]> {
    const { rows } = await client.query<{ partition: number; epoch: string; next: string; keep: boolean }>(
      `SELECT c.partition, c.epoch, coalesce(c.next_offset, p.log_start) AS next, c.target IS NULL OR c.target = c.owner AS keep
       FROM sluice_bus.cursors c JOIN sluice_bus.partitions p ON p.topic_id = c.topic_id AND p.partition = c.partition
       WHERE c.topic_id = $1 AND c.group_name = $2 AND c.owner = $3 ORDER BY c.partition`,
      [...this.scope(), this.options.me.id],
    );
    return rows.map((row) => ({ ...row, next: BigInt(row.next) }));
  }

  /** The first two parameters of every statement: topic and group. */
  private scope(): [KnownTopic['id'], string] {
    return [this.options.topic.id, this.options.group];
  }
}
