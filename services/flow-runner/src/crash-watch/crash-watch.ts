import { type Activity, type Coalescer, createCoalescer } from '@sluice/crm-writer';
import type {
  BegunUnit, CrashWatchStore, Logger, MonotonicClock, PartitionLease, PartitionRef, WatchedUnit,
} from '@sluice/ports';
import { unitKeyText } from '@sluice/ports';
import type { Unit } from '../units/unit';
import { SoloLock } from './solo-lock';

export interface CrashWatchOptions {
  store: CrashWatchStore;
  /** Number of deaths while a unit was the only one in hand, after which it is not tried again. At least 2. */
  aloneDeaths: number;
  /** How long a partition is watched after its owner died, milliseconds. */
  watchMs: number;
  /** How many events after the committed offset the dead owner may have had in hand, beside held events, which lie before it. */
  windowSize: number;
  activity: Activity;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  logger: Logger;
}

/** What the watch needs of a unit; its payload may not be read yet. */
export type Watchable = Pick<Unit, 'key' | 'lease' | 'offset'>;

/** The watched work: an attempt or its preparation, or the quarantine instead. */
export interface WatchedWork<R> {
  attempt(): Promise<R>;
  /** The unit ended the process so often while it was alone that it is not tried again. `deaths`: all that it was part of. */
  quarantine(deaths: number): Promise<R>;
}

/**
 * Deaths beside others from which on a unit is tried in a group, and then alone. The first death is a guess from the unit's
 * place in the log, the second finds up to thousands of units, the third those of a group, of which each is then tried alone.
 */
const [groupFrom, aloneFrom] = [2, 3];
/** Units of a group: about the root of the number of units that may be under way, so that no stage takes long. */
const groupSize = 64;
/** So few suspects of a partition are tried alone at once, without the stage of groups. */
const fewSuspects = 4;
/**
 * How long a process has to live before it tries a unit alone that was alone at a death. Somebody who kills runners may meet
 * a unit that is alone by chance: when the process dies again without it, that death is no longer held against it. Longer than
 * a process lives that is killed every ten seconds; only the lane of the unit waits.
 */
const calmMs = 15_000;

/** Most units noted in one statement. */
const maxNotes = 500;

interface Note extends BegunUnit {
  ref: PartitionRef;
}

/** How often a unit was part of a death. */
type Suspicion = Omit<WatchedUnit, 'unit'>;

const innocent: Suspicion = { deaths: 0, aloneDeaths: 0 };

/** A partition whose last owner died, for some time after it was taken. */
interface Session {
  until: number;
  windowEnd: bigint;
  suspects: Map<string, Suspicion>;
  /** Deaths beside others from which on a unit is tried alone. */
  aloneFrom: number;
}

/**
 * Finds the unit that ends the process it runs in (ADR 0048). After an owner ended without releasing its partition, each unit of
 * the partition is noted in the store before it is decoded and planned, and again before its attempt. A unit that is still noted
 * when the next owner takes over was under way when this owner died. Deaths beside other units only isolate it: it is tried in a
 * group, and then alone. It is quarantined when the process died `aloneDeaths` times in a row while it was alone. While nothing
 * crashes, nothing is written.
 */
export class CrashWatch {
  private readonly sessions = new Map<string, Session>();
  private readonly solo = new SoloLock(groupSize);
  private readonly begins: Coalescer<Note, void>;
  private readonly ends: Coalescer<Note, void>;
  /** Until then no unit is tried alone. */
  private calmUntil = -Infinity;

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
    const suspects = new Map(noted.map(({ unit, ...suspicion }): [string, Suspicion] => [unitKeyText(unit), suspicion]));
    const now = this.options.monotonicNow();
    if (noted.some(({ aloneDeaths }) => aloneDeaths > 0)) this.calmUntil = now + calmMs;
    this.sessions.set(refText(lease), {
      until: now + watchMs,
      windowEnd: from + BigInt(windowSize),
      suspects,
      aloneFrom: noted.filter(({ deaths }) => deaths >= groupFrom).length <= fewSuspects ? groupFrom : aloneFrom,
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
    return this.solo.share(work);
  }

  /**
   * Runs the attempt of a unit: in parallel with others, in a group or alone when it is suspected, or not at all. An attempt that
   * the process outlives ends the suspicion. Throws StoreUnavailable.
   */
  run<R>(unit: Watchable, work: WatchedWork<R>): Promise<R> {
    return this.watched(unit, work, async (note) => {
      await this.ask(this.begins, note);
      try {
        return await work.attempt();
      } finally {
        this.sessions.get(refText(note.ref))?.suspects.delete(unitKeyText(note.unit));
        await this.ended(note);
      }
    });
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

  /**
   * Deletes the note of an attempt. Not awaited where others are in hand: a note that stays counts one death beside others too
   * many if the runner dies now. A unit that was alone has the process to itself until its note is gone.
   */
  private ended(note: Note): Promise<void> | undefined {
    const deleted = this.ask(this.ends, note).catch((error: unknown) =>
      this.options.logger.debug('a note of the crash watch was not deleted', { event_id: note.unit.eventId, error }),
    );
    return note.alone ? deleted : undefined;
  }

  private watched<R>(unit: Watchable, work: WatchedWork<R>, noted: (note: Note) => Promise<R>): Promise<R> {
    // The usual case: no owner of the partition died.
    if (this.sessions.size === 0) return this.solo.share(work.attempt);
    return this.suspected(unit, work, noted);
  }

  private async suspected<R>(unit: Watchable, work: WatchedWork<R>, noted: (note: Note) => Promise<R>): Promise<R> {
    const session = await this.sessionOf(unit.lease);
    if (!session) return this.solo.share(work.attempt);
    const suspicion = suspicionOf(session, unit);
    const { deaths, aloneDeaths } = suspicion;
    if (aloneDeaths >= this.options.aloneDeaths) return work.quarantine(deaths + aloneDeaths);
    const alone = aloneDeaths > 0 || deaths >= session.aloneFrom;
    const begin = (): Promise<R> => noted({ ref: unit.lease, unit: unit.key, ...suspicion, alone });
    if (alone) return this.afterCalm(() => this.solo.alone(begin, aloneDeaths));
    return deaths >= groupFrom ? this.solo.grouped(begin) : this.solo.share(begin);
  }

  private async afterCalm<R>(work: () => Promise<R>): Promise<R> {
    const { monotonicNow, sleep } = this.options;
    for (let left = this.calmUntil - monotonicNow(); left > 0; left = this.calmUntil - monotonicNow()) await sleep(left);
    return work();
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

/** A unit that the first dead owner may have had in hand counts one death, though nobody had noted it. */
function suspicionOf({ suspects, windowEnd }: Session, { key, offset }: Watchable): Suspicion {
  return suspects.get(unitKeyText(key)) ?? (offset < windowEnd ? { ...innocent, deaths: 1 } : innocent);
}

function byPartition(notes: readonly Note[]): Iterable<Note[]> {
  const groups = new Map<string, Note[]>();
  for (const note of notes) groups.set(refText(note.ref), [...(groups.get(refText(note.ref)) ?? []), note]);
  return groups.values();
}

const refText = ({ topic, partition }: PartitionRef): string => `${partition} ${topic}`;
