import { randomUUID } from 'node:crypto';
import type { WriteCapState } from '@sluice/contracts';
import type { WriteCap, WriteCapStore } from '../../run-store/write-cap-store';

interface Kept extends WriteCap {
  /** When its present state began. Milliseconds since the epoch. */
  since: number;
  /** By their ids. */
  reserved: Map<string, { writes: number; expiresAt: number }>;
}

export interface MemoryWriteCapsDeps {
  now(): number;
  /** Whether events of the connector wait because of its cap. */
  waits(connectorId: string): boolean;
  /** Called after each change of a state, in the same step. */
  changed(connectorId: string, state: WriteCapState): void;
}

/** Twin of the write caps, with what the config store does to them. */
export interface MemoryWriteCaps extends WriteCapStore {
  of(connectorId: string): WriteCap | null;
  arm(connectorId: string, limit: number): void;
  /** Removes a cap that is armed. */
  disarm(connectorId: string): void;
  /** Its connector was deleted. */
  remove(connectorId: string): void;
  /** False: it has not tripped. */
  release(connectorId: string): boolean;
}

export function createMemoryWriteCaps({ now, waits, changed }: MemoryWriteCapsDeps): MemoryWriteCaps {
  const caps = new Map<string, Kept>();
  const inState = (state: WriteCapState): [string, Kept][] => [...caps].filter(([, cap]) => cap.state === state);
  const move = (connectorId: string, cap: Kept, state: WriteCapState): void => {
    Object.assign(cap, { state, since: now(), ...(state === 'tripped' && { trippedAt: new Date(now()) }) });
    changed(connectorId, state);
  };
  const tripIfReached = (connectorId: string, cap: Kept): boolean => {
    if (cap.state !== 'armed' || cap.writes < cap.limit) return false;
    move(connectorId, cap, 'tripped');
    return true;
  };
  const countExpired = (cap: Kept): void => {
    for (const [id, { writes, expiresAt }] of cap.reserved) {
      if (expiresAt > now()) continue;
      cap.reserved.delete(id);
      cap.writes += writes;
    }
  };
  return {
    of: (connectorId) => {
      const cap = caps.get(connectorId);
      return cap ? { state: cap.state, limit: cap.limit, writes: cap.writes, trippedAt: cap.trippedAt } : null;
    },
    arm: (connectorId, limit) => void caps.set(connectorId, {
      state: 'armed', limit, writes: 0, trippedAt: null, since: now(), reserved: new Map(),
    }),
    disarm: (connectorId) => { if (caps.get(connectorId)?.state === 'armed') caps.delete(connectorId); },
    remove: (connectorId) => void caps.delete(connectorId),
    release: (connectorId) => {
      const cap = caps.get(connectorId);
      if (cap?.state !== 'tripped') return false;
      move(connectorId, cap, 'releasing');
      return true;
    },
    async reserve(connectorId, writes, ttlMs) {
      const cap = caps.get(connectorId);
      if (!cap || !['armed', 'tripped'].includes(cap.state)) return { granted: true, reservation: null };
      if (cap.state === 'armed') countExpired(cap);
      const reserved = [...cap.reserved.values()].reduce((sum, one) => sum + one.writes, 0);
      if (cap.state === 'tripped' || cap.writes + reserved >= cap.limit) return { granted: false };
      const reservation = randomUUID();
      cap.reserved.set(reservation, { writes, expiresAt: now() + ttlMs });
      return { granted: true, reservation };
    },
    async settle({ connectorId, reservation, written }) {
      const cap = caps.get(connectorId);
      // One that had expired was counted then.
      if (cap?.reserved.delete(reservation)) cap.writes += written;
    },
    tripReached: async () => inState('armed').flatMap(([connectorId, cap]) => {
      countExpired(cap);
      return tripIfReached(connectorId, cap) ? [connectorId] : [];
    }),
    releasing: async () => inState('releasing').map(([connectorId, { since }]) => ({ connectorId, since: new Date(since) })),
    async settled(connectorId) {
      const cap = caps.get(connectorId);
      if (cap?.state !== 'releasing' || waits(connectorId)) return false;
      move(connectorId, cap, 'settling');
      return true;
    },
    reopen: async (settlingMs) => inState('settling').flatMap(([connectorId, cap]) => {
      if (now() - cap.since < settlingMs) return [];
      move(connectorId, cap, 'released');
      return [connectorId];
    }),
  };
}
