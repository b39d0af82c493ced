import { stickyAssignment } from '@sluice/ports/bus-kit';

/** A partition's row in a group. `owner` reads it, `target` gets it once the owner has stopped reading. */
export interface Cursor {
  partition: number;
  owner: string | null;
  target: string | null;
}

/**
 * Which rows a member changes at a heartbeat. A partition is never taken from a living owner: it only gets a target, and the
 * owner passes it on after it has stopped reading.
 * @param members the living members, in any order
 * @param me this member; `reading` are the partitions that it reads now
 */
export function planGroup(
  members: readonly string[],
  cursors: readonly Cursor[],
  me: string,
  reading: ReadonlySet<number>,
): Cursor[] {
  const alive = new Set(members);
  const heir = ({ owner, target }: Cursor): string => [target, owner].find((id) => id !== null && alive.has(id)) ?? '';
  const current = new Map(cursors.map((cursor) => [cursor.partition, heir(cursor)]));
  const wanted = stickyAssignment(cursors.length, members, current);
  const changes: Cursor[] = [];
  for (const cursor of cursors) {
    const { partition, owner } = cursor;
    const taker = wanted.get(partition) ?? null;
    const stays = owner !== null && alive.has(owner) && owner !== taker && (owner !== me || reading.has(partition));
    const next = stays ? { partition, owner, target: taker } : { partition, owner: taker, target: null };
    if (next.owner !== cursor.owner || next.target !== cursor.target) changes.push(next);
  }
  return changes;
}
