import type { KeyLanesBounds } from './key-lanes-options';

/**
 * Counts the items in flight. A group, and a pool of groups, may take half of the places that are free: the places they hold are
 * never more than those that are left, so that a group that needs places later always finds some.
 */
export interface Places {
  /** How many more items of the group may start now. */
  room(group: string): number;
  /** Takes places. Returns the pool they count for, which is given back with them. */
  take(group: string, count: number): string | null;
  free(group: string, pool: string | null): void;
  taken(): number;
}

export function createPlaces({ maxInFlight, poolOf }: Pick<KeyLanesBounds, 'maxInFlight' | 'poolOf'>): Places {
  let taken = 0;
  const ofGroup = new Map<string, number>();
  const ofPool = new Map<string, number>();

  /** Half of what is free beyond what it has, and one where it has less than what is free. */
  const share = (has: number): number => {
    const more = maxInFlight - taken - has;
    return more < 1 ? 0 : Math.max(1, Math.floor(more / 2));
  };

  return {
    room: (group) => {
      if (poolOf === null) return maxInFlight - taken;
      const pool = poolOf(group);
      const own = share(ofGroup.get(group) ?? 0);
      return pool === null ? own : Math.min(own, share(ofPool.get(pool) ?? 0));
    },
    take: (group, count) => {
      taken += count;
      if (poolOf === null) return null;
      const pool = poolOf(group);
      change(ofGroup, group, count);
      if (pool !== null) change(ofPool, pool, count);
      return pool;
    },
    free: (group, pool) => {
      taken -= 1;
      if (poolOf === null) return;
      change(ofGroup, group, -1);
      if (pool !== null) change(ofPool, pool, -1);
    },
    taken: () => taken,
  };
}

function change(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
