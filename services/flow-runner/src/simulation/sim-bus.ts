import type { EventBus, PartitionHandlers, Subscription } from '@sluice/ports';
import { createMemoryBus } from '@sluice/ports/testing';
import { type Connected, never } from './connected';
import type { SimStores } from './sim-stores';
import type { SimWorld } from './sim-world';

/** The bus of one process, and actions of its group that the process does not see. */
export interface SimBus {
  bus: EventBus;
  /** The group expels the process, which does not learn of it. */
  leave(): void;
  /** The process learns that it was expelled, and joins again. */
  rejoin(): Promise<void>;
  close(): void;
}

/** A commit, or another request, that the broker refused. */
export class CommitLost extends Error {}

/** How often a process tries to reach a broker that is away. */
const brokerLookMs = 100;

export function createSimBus(world: SimWorld, { alive, brokerAway, awake }: Connected, remote: SimStores['remote']): SimBus {
  const inner = createMemoryBus({ log: world.log, now: world.clock.now });
  let leaveGroup: (() => void) | undefined;
  let joinAnew: (() => Promise<void>) | undefined;

  const subscribe: EventBus['subscribe'] = async (options) => {
    const owned = new Set<number>();
    const rewinds = new Map<number, number>();
    let current: Subscription | undefined;
    let member = 0;
    let stopped = false;
    /** A frozen process gets the messages of its group in order when it continues. */
    let news: Promise<void> | null = null;
    const giveUp = (partition: number): void => { if (owned.delete(partition)) options.handlers.revoked(partition); };
    const giveUpAll = (): void => { for (const partition of [...owned]) giveUp(partition); };
    const join = async (): Promise<void> => {
      const me = (member += 1);
      while (brokerAway()) await world.clock.sleep(brokerLookMs);
      if (!alive()) return never();
      // Expelled meanwhile: it has joined anew.
      if (me !== member) return;
      const mine = (): boolean => alive() && me === member;
      const hear = (what: () => void): void => {
        const wait = news ?? awake();
        if (!wait) { if (mine()) what(); return; }
        const heard: Promise<void> = wait.then(() => { if (mine()) what(); if (news === heard) news = null; });
        news = heard;
      };
      const handlers: PartitionHandlers = {
        assigned: (partition) => hear(() => { owned.add(partition); options.handlers.assigned(partition); }),
        revoked: (partition) => hear(() => giveUp(partition)),
        messages: async (partition, messages) => {
          const rewound = rewinds.get(partition);
          await (news ?? awake());
          if (!alive()) return never();
          // Messages that an expelled member had fetched are dropped, and messages fetched before a rewind are not delivered.
          return mine() && rewinds.get(partition) === rewound ? options.handlers.messages(partition, messages) : undefined;
        },
      };
      const joined = await inner.subscribe({ ...options, handlers });
      current = joined;
      if (stopped) await joined.stop();
      void joined.failed.then(world.failed);
    };
    leaveGroup = () => {
      member += 1;
      void current?.stop();
    };
    joinAnew = async () => {
      if (stopped) return;
      giveUpAll();
      await join();
    };
    await join();
    return {
      failed: never(),
      commit: async (offsets) => {
        await awake();
        if (!alive()) return never();
        if (brokerAway() || (world.rough() && world.prng.chance(0.05))) throw new CommitLost();
        // The group refuses commits of an earlier membership.
        const due = offsets.filter(({ partition }) => owned.has(partition));
        for (const { partition, next } of due) world.committed(partition, next);
        await current?.commit(due);
      },
      pause: (partition) => current?.pause(partition),
      resume: (partition) => current?.resume(partition),
      rewind: (partition, next) => {
        rewinds.set(partition, (rewinds.get(partition) ?? 0) + 1);
        current?.rewind(partition, next);
      },
      silentForMs: () => 0,
      stop: async () => {
        stopped = true;
        await current?.stop();
        // An expelled member does not know that its partitions belong to others.
        giveUpAll();
      },
    };
  };
  return {
    bus: {
      ...inner, subscribe,
      lag: (topic, group) => remote(inner.lag)(topic, group),
      removeMember: async (_topic, _group, name) => {
        await awake();
        if (!alive()) return never();
        if (brokerAway()) throw new CommitLost();
        world.expulsions.get(name)?.();
        return 1;
      },
    },
    leave: () => leaveGroup?.(),
    rejoin: async () => { await joinAnew?.(); },
    close: () => void inner.close(),
  };
}
