import { type Activity, type Coalescer, createCoalescer } from '@sluice/crm-writer';
import type { CrashWatchStore, Logger, PartitionLease, PartitionRef, UnitKey, WatchedUnit } from '@sluice/ports';
import { unitKeyText } from '@sluice/ports';
import type { Unit } from '../units/unit';
import { SoloGate } from './solo-gate';

export interface CrashWatchOptions {
  store: CrashWatchStore;
  /** Deaths of a runner after which a unit that was under way each time is not tried again. At least 2. */
  maxDeaths: number;
  /** How long a partition is watched after its owner died, milliseconds. */
  watchMs: number;
  /** Events from the committed offset on that the dead owner may have had in hand, beside held ones, which lie before it. */
  windowSize: number;
  activity: Activity;
  monotonicNow(): number;
  logger: Logger;
}

/** What the watch has to know of a unit; its payload may not be read yet. */
export type Watchable = Pick<Unit, 'key' | 'lease' | 'offset'>;

/** What becomes of a unit: an attempt, or its preparation, or neither. */
export interface WatchedWork<R> {
  attempt(): Promise<R>;
  /** The unit was part of so many deaths that it is not tried again. */
  quarantine(deaths: number): Promise<R>;
}

/** Deaths from which on a unit is tried alone: the first one is only a guess, made from its place in the log. */
const aloneFrom = 2;

/** Units noted in one statement at most. */
const maxNotes = 500;

interface Note {
  ref: PartitionRef;
  unit: UnitKey;
  deaths: number;
}

/** A partition whose last owner died, for some time after it was taken. */
interface Session {
  until: number;
  windowEnd: bigint;
  deaths: Map<string, number>;
}

/**
 * Finds the unit that ends the process it runs in (ADR 0048). After an owner ended without giving its partition back, every unit
 * of the partition is noted in the store before it is decoded and planned, and again before it is attempted. What is noted when
 * the next owner takes over was under way when this one died: it is tried alone, and after `maxDeaths` it is quarantined. While
 * nothing crashes, nothing is written.
 */
export class CrashWatch {
  private readonly sessions = new Map<string, Session>();
  private readonly gate = new SoloGate();
  private readonly begins: Coalescer<Note, void>;
  private readonly ends: Coalescer<Note, void>;

  constructor(private readonly options: CrashWatchOptions) {
    const { store, activity } = options;
    const notes = (write: (ref: PartitionRef, units: Note[]) => Promise<void>): Coalescer<Note, void> => createCoalescer({
      maxBatch: maxNotes, maxConcurrent: 2, activity,
      run: async (asked) => {
        await Promise.all([...byPartition(asked)].map((units) => write(units[0]!.ref, units)));
        return asked.map(() => undefined);
      },
    });
    this.begins = notes((ref, units) => store.begin(ref, units));
    this.ends = notes((ref, units) => store.end(ref, units.map(({ unit }) => unit)));
  }

  /**
   * A partition was taken. Throws StoreUnavailable.
   * @param unclean its last owner did not give it back
   * @param from the offset from which it is read
   */
  async taken(lease: PartitionLease, unclean: boolean, from: bigint): Promise<void> {
    this.sessions.delete(refText(lease));
    if (!unclean) return;
    const { store, watchMs, windowSize, logger } = this.options;
    const noted = await store.countDeaths(lease);
    const deaths = new Map(noted.map((one: WatchedUnit) => [unitKeyText(one.unit), one.deaths]));
    this.sessions.set(refText(lease), {
      until: this.options.monotonicNow() + watchMs,
      windowEnd: from + BigInt(windowSize),
      deaths,
    });
    logger.warn('partition taken from an owner that died, its events are watched', {
      topic: lease.topic, partition: lease.partition, suspects: noted.length, watch_ms: watchMs,
    });
  }

  /** The partition is given up in good order: what is under way does not count as a death. */
  async givenUp(ref: PartitionRef): Promise<void> {
    if (!this.sessions.delete(refText(ref))) return;
    await this.options.store.forget(ref);
  }

  /** Whether units of the partition are noted. Throws StoreUnavailable. */
  async watches(lease: PartitionLease): Promise<boolean> {
    return (await this.sessionOf(lease)) !== undefined;
  }

  /** Decodes or plans units that are not noted: not while a suspect is alone. */
  beside<R>(work: () => Promise<R>): Promise<R> {
    return this.gate.share(work);
  }

  /** Runs the attempt of a unit: beside others, alone when it is suspected, or not at all. Throws StoreUnavailable. */
  run<R>(unit: Watchable, work: WatchedWork<R>): Promise<R> {
    return this.watched(unit, work, (note) => this.noted(note, work.attempt));
  }

  /** As `run`, of what comes before the attempt. The note is gone when it resolves: the unit then only waits. */
  prepare<R>(unit: Watchable, work: WatchedWork<R>): Promise<R> {
    return this.watched(unit, work, async (note) => {
      await this.ask(this.begins, note);
      try {
        return await work.attempt();
      } finally {
        await this.ask(this.ends, note);
      }
    });
  }

  private watched<R>(unit: Watchable, work: WatchedWork<R>, noted: (note: Note) => Promise<R>): Promise<R> {
    // Nearly always: no owner of the partition died.
    if (this.sessions.size === 0) return this.gate.share(work.attempt);
    return this.suspected(unit, work, noted);
  }

  private async suspected<R>(unit: Watchable, work: WatchedWork<R>, noted: (note: Note) => Promise<R>): Promise<R> {
    const session = await this.sessionOf(unit.lease);
    if (!session) return this.gate.share(work.attempt);
    const deaths = session.deaths.get(unitKeyText(unit.key)) ?? (unit.offset < session.windowEnd ? 1 : 0);
    if (deaths >= this.options.maxDeaths) return work.quarantine(deaths);
    const note = { ref: unit.lease, unit: unit.key, deaths };
    return deaths >= aloneFrom ? this.gate.alone(() => noted(note)) : this.gate.share(() => noted(note));
  }

  private async noted<R>(note: Note, attempt: () => Promise<R>): Promise<R> {
    await this.ask(this.begins, note);
    try {
      return await attempt();
    } finally {
      // Nobody waits for it. A note that stays counts a death too many if the runner dies now; of a unit that has ended it has no
      // effect.
      this.ask(this.ends, note).catch((error: unknown) =>
        this.options.logger.debug('a note of the crash watch stays', { event_id: note.unit.eventId, error }),
      );
    }
  }

  /** A coalescer's askers count as active until they wait for it. */
  private async ask(notes: Coalescer<Note, void>, note: Note): Promise<void> {
    const { activity } = this.options;
    activity.enter();
    try {
      await notes.ask(note);
    } finally {
      activity.leave();
    }
  }

  private async sessionOf(lease: PartitionLease): Promise<Session | undefined> {
    const session = this.sessions.get(refText(lease));
    if (!session || session.until > this.options.monotonicNow()) return session;
    await this.givenUp(lease);
    return undefined;
  }
}

function byPartition(notes: readonly Note[]): Iterable<Note[]> {
  const groups = new Map<string, Note[]>();
  for (const note of notes) groups.set(refText(note.ref), [...(groups.get(refText(note.ref)) ?? []), note]);
  return groups.values();
}

const refText = ({ topic, partition }: PartitionRef): string => `${partition} ${topic}`;
