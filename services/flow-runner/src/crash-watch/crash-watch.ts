import { type Activity, type Coalescer, createCoalescer } from '@sluice/crm-writer';
import type { CrashWatchStore, Logger, MonotonicClock, PartitionLease, PartitionRef, UnitKey, WatchedUnit } from '@sluice/ports';
import { unitKeyText } from '@sluice/ports';
import type { Unit } from '../units/unit';
import { SoloGate } from './solo-gate';

export interface CrashWatchOptions {
  store: CrashWatchStore;
  /** Number of runner deaths after which a unit that was under way at each of them is not tried again. At least 2. */
  maxDeaths: number;
  /** How long a partition is watched after its owner died, milliseconds. */
  watchMs: number;
  /** How many events after the committed offset the dead owner may have had in hand, beside held events, which lie before it. */
  windowSize: number;
  activity: Activity;
  monotonicNow: MonotonicClock;
  logger: Logger;
}

/** What the watch needs of a unit; its payload may not be read yet. */
export type Watchable = Pick<Unit, 'key' | 'lease' | 'offset'>;

/** The watched work: an attempt or its preparation, or the quarantine instead. */
export interface WatchedWork<R> {
  attempt(): Promise<R>;
  /** The unit was part of so many deaths that it is not tried again. */
  quarantine(deaths: number): Promise<R>;
}

/** Deaths from which on a unit is tried alone. The first death is a guess from the unit's place in the log. */
const aloneFrom = 2;

/** Most units noted in one statement. */
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
 * Finds the unit that ends the process it runs in (ADR 0048). After an owner ended without releasing its partition, each unit of
 * the partition is noted in the store before it is decoded and planned, and again before its attempt. A unit that is still noted
 * when the next owner takes over was under way when this owner died: it is tried alone, and after `maxDeaths` it is quarantined.
 * While nothing crashes, nothing is written.
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
   * @param unclean its last owner did not release it
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

  /** The partition is released: units under way do not count a death. */
  async givenUp(ref: PartitionRef): Promise<void> {
    if (!this.sessions.delete(refText(ref))) return;
    await this.options.store.forget(ref);
  }

  /** Whether units of the partition are noted. Throws StoreUnavailable. */
  async watches(lease: PartitionLease): Promise<boolean> {
    return (await this.sessionOf(lease)) !== undefined;
  }

  /** Decodes or plans units that are not noted: not while a suspected unit runs alone. */
  beside<R>(work: () => Promise<R>): Promise<R> {
    return this.gate.share(work);
  }

  /** Runs the attempt of a unit: in parallel with others, alone when it is suspected, or not at all. Throws StoreUnavailable. */
  run<R>(unit: Watchable, work: WatchedWork<R>): Promise<R> {
    return this.watched(unit, work, (note) => this.noted(note, work.attempt));
  }

  /** As `run`, for the work before the attempt. The note is deleted when it resolves, because the unit then only waits. */
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
    // The usual case: no owner of the partition died.
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
      // Not awaited. A note that stays counts one death too many if the runner dies now; for a unit that has ended it has no
      // effect.
      this.ask(this.ends, note).catch((error: unknown) =>
        this.options.logger.debug('a note of the crash watch was not deleted', { event_id: note.unit.eventId, error }),
      );
    }
  }

  /** A unit counts as active until it waits for the coalescer. */
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
