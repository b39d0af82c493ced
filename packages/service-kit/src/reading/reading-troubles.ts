import type { Logger, MonotonicClock } from '@sluice/ports';
import type { CheckResult } from '../observe/create-health';
import type { CounterMetric, Metrics } from '../observe/create-metrics';

/** What is read, by whom. */
export interface ReadingPlace {
  topic: string;
  /** The group, or what the reader is for. */
  reader: string;
  /** Where only one partition is concerned. */
  partition?: number;
}

export interface ReadingSettings {
  /** Waits between the tries, in milliseconds; the last one repeats. */
  waitsMs: readonly number[];
  /** Milliseconds of failing after which the process is no longer alive; 0: never. */
  deadAfterMs: number;
}

export interface ReadingTroublesOptions extends ReadingSettings {
  logger: Logger;
  metrics: Metrics;
  /** Milliseconds that never go back. */
  monotonicNow: MonotonicClock;
}

interface Trouble {
  place: ReadingPlace;
  since: number;
  failures: number;
  /** Since when it works again after a failure; null: it still fails. */
  worksSince: number | null;
}

/**
 * The failures of reading topics: each is logged and counted, and reported until reading works again. Errors stay in the log;
 * reasons for readiness and liveness are public and name places and times only.
 */
export class ReadingTroubles {
  private readonly troubles = new Map<string, Trouble>();
  private readonly failures: CounterMetric;

  constructor(private readonly options: ReadingTroublesOptions) {
    const labels = ['topic', 'reader'];
    const failures = { name: 'reading_failures_total', help: 'Failures to read a topic or to take in what was read.' };
    this.failures = options.metrics.counter({ ...failures, labels });
    const failing = { name: 'reading_failing_seconds', help: 'For how long reading a topic has failed; only what fails now.' };
    options.metrics.gauge({ ...failing, labels }, (gauge) => {
      gauge.reset();
      for (const [{ topic, reader }, seconds] of this.longest()) gauge.set(seconds, { topic, reader });
    });
  }

  /** @returns milliseconds to wait before the next try */
  failed(place: ReadingPlace, error: unknown): number {
    this.forgetHealed();
    const { waitsMs, logger, monotonicNow } = this.options;
    const trouble = this.troubles.get(keyOf(place)) ?? { place, since: monotonicNow(), failures: 0, worksSince: null };
    const waitMs = waitsMs[Math.min(trouble.failures, waitsMs.length - 1)] ?? 0;
    trouble.failures += 1;
    trouble.worksSince = null;
    this.troubles.set(keyOf(place), trouble);
    this.failures.inc({ topic: place.topic, reader: place.reader });
    const failingForMs = Math.round(monotonicNow() - trouble.since);
    const { failures } = trouble;
    logger.error('reading failed, trying again', { ...place, error, failures, failing_for_ms: failingForMs, wait_ms: waitMs });
    return waitMs;
  }

  /** It is read again. If it fails again within the longest wait, the waits continue where they were. */
  works(place: ReadingPlace): void {
    const trouble = this.troubles.get(keyOf(place));
    if (trouble) trouble.worksSince ??= this.options.monotonicNow();
  }

  /** The failed work has succeeded. */
  healed(place: ReadingPlace): void {
    const trouble = this.troubles.get(keyOf(place));
    if (!trouble) return;
    this.troubles.delete(keyOf(place));
    const failedForMs = Math.round(this.options.monotonicNow() - trouble.since);
    this.options.logger.info('reading works again', { ...place, failures: trouble.failures, failed_for_ms: failedForMs });
  }

  /** Another process reads it now. */
  forget(place: ReadingPlace): void {
    this.troubles.delete(keyOf(place));
  }

  /** @param patienceMs how long reading may fail before that is a reason not to be ready */
  ready(patienceMs = 0): CheckResult {
    const worst = this.worst();
    return worst ? { ok: worst.ms < patienceMs, reason: reasonOf(worst) } : { ok: true };
  }

  /** Not ok once reading has failed for longer than the setting. */
  alive(): CheckResult {
    const { deadAfterMs } = this.options;
    const worst = this.worst();
    return worst && deadAfterMs > 0 && worst.ms >= deadAfterMs ? { ok: false, reason: reasonOf(worst) } : { ok: true };
  }

  private worst(): { place: ReadingPlace; ms: number } | undefined {
    return this.failing().sort((a, b) => b.ms - a.ms)[0];
  }

  private failing(): { place: ReadingPlace; ms: number }[] {
    this.forgetHealed();
    const now = this.options.monotonicNow();
    const failing = [...this.troubles.values()].filter(({ worksSince }) => worksSince === null);
    return failing.map(({ place, since }) => ({ place, ms: now - since }));
  }

  /** Seconds per topic and reader, over all partitions. */
  private longest(): Iterable<[ReadingPlace, number]> {
    const all = new Map<string, [ReadingPlace, number]>();
    for (const { place, ms } of this.failing()) {
      const key = keyOf({ topic: place.topic, reader: place.reader });
      all.set(key, [place, Math.max(ms / 1_000, all.get(key)?.[1] ?? 0)]);
    }
    return all.values();
  }

  private forgetHealed(): void {
    const now = this.options.monotonicNow();
    const steadyMs = Math.max(...this.options.waitsMs);
    for (const { place, worksSince } of [...this.troubles.values()]) {
      if (worksSince !== null && now - worksSince >= steadyMs) this.healed(place);
    }
  }
}

function keyOf({ topic, reader, partition }: ReadingPlace): string {
  return JSON.stringify([topic, reader, partition]);
}

function reasonOf({ place, ms }: { place: ReadingPlace; ms: number }): string {
  const where = place.partition === undefined ? place.topic : `${place.topic}, partition ${place.partition}`;
  return `reading ${where} (${place.reader}) has failed for ${Math.round(ms / 1_000)} s`;
}
