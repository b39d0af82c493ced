import type { DeadOwner } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

/**
 * The sessions of owners in partition_owners (`o`), as conditions and assignments of statements on it. A process that dies ends
 * its sessions, and Postgres forgets them at once; those of one that is frozen or cut off stay. `pg_stat_get_activity` is what
 * the view pg_stat_activity reads, without its joins; of sessions of other roles it tells only that they are there.
 */

/** Notes this session as that of the owner. */
export const sessionRenewed = (owner: string, callsEndMs: string): string => `
    session_owner = ${owner}, session_pid = pg_backend_pid(),
    session_start = (SELECT a.backend_start FROM pg_stat_get_activity(pg_backend_pid()) a),
    renewed_at = clock_timestamp(), calls_end_ms = ${callsEndMs}::int`;

/**
 * The owner's session is gone. The start tells it from another session with the same process id. Somebody of this service is
 * connected since before the last renewal, so that neither the server nor a proxy before it was replaced since: then all
 * sessions would be gone. This session alone would not do: a process opens new ones when it has much to ask.
 */
export const sessionGone = `(
  o.session_owner = o.owner
  AND NOT EXISTS (
    SELECT FROM pg_stat_get_activity(o.session_pid) a WHERE a.backend_start = o.session_start OR a.backend_start IS NULL)
  AND EXISTS (
    SELECT FROM pg_stat_get_activity(NULL) a JOIN pg_stat_get_activity(pg_backend_pid()) me USING (datid, usesysid, application_name)
    WHERE a.backend_start < o.renewed_at))`;

const deadSql = `
  SELECT owner, topic, partition, (extract(epoch FROM clock_timestamp() - renewed_at) * 1000)::float8 AS silent_ms
  FROM partition_owners o
  WHERE released_at IS NULL AND lease_until > clock_timestamp() AND renewed_at + $1 * interval '1 millisecond' <= clock_timestamp()
    AND ${sessionGone}
  ORDER BY owner, topic, partition`;

/** The owners whose session is gone, and that have not renewed for `silentMs`. */
export async function deadOwnersOf(pool: Pool, silentMs: number): Promise<DeadOwner[]> {
  const { rows } = await retried(() => pool.query({ name: 'dead-owners', text: deadSql, values: [silentMs] }));
  const dead = new Map<string, DeadOwner>();
  for (const { owner, topic, partition, silent_ms: silentMs } of rows) {
    const known: DeadOwner = dead.get(owner) ?? { owner, silentMs, partitions: [] };
    known.silentMs = Math.min(known.silentMs, silentMs);
    known.partitions.push({ topic, partition });
    dead.set(owner, known);
  }
  return [...dead.values()];
}
