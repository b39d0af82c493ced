import type { MonotonicClock } from '../clock';
import { StoreUnavailable } from './store-unavailable';

/**
 * For how long a process believes what it read of credentials and of switches of sources, milliseconds. The answer to a new value
 * of a credential waits for it (ADR 0420); a switch is used by every attempt that starts 2 s after the answer to it.
 */
export const changesKeptMs = 1_000;

/** While the store does not answer, the last value is used for so long: attempts that are under way can end. Milliseconds. */
const awayMs = 30_000;

/**
 * One value of the store, believed for a short time from the moment at which its read began: a read that began before a change
 * may answer with what was before. Concurrent requests share a read unless it began too long ago.
 */
export class RecentRead<T> {
  private known: { value: T; askedAt: number } | null = null;
  private underWay: { answer: Promise<T>; askedAt: number } | null = null;

  /** @param options `keptMs`: how long a value is believed; default `changesKeptMs` */
  constructor(private readonly options: { read(): Promise<T>; monotonicNow: MonotonicClock; keptMs?: number }) {}

  /** Rejects as the read does; while the store is away only when there is no value of the last half minute. */
  get(): Promise<T> {
    const { known } = this;
    if (known && this.isRecent(known)) return Promise.resolve(known.value);
    return this.again().catch((error: unknown) => {
      const last = this.known;
      if (error instanceof StoreUnavailable && last && this.options.monotonicNow() - last.askedAt < awayMs) return last.value;
      throw error;
    });
  }

  /** Reads the value though one is believed. Rejects as the read does. */
  again(): Promise<T> {
    if (this.underWay && this.isRecent(this.underWay)) return this.underWay.answer;
    const askedAt = this.options.monotonicNow();
    const answer = this.options.read().then((value) => {
      this.put(value, askedAt);
      return value;
    });
    const reading = { answer, askedAt };
    const ended = (): void => {
      if (this.underWay === reading) this.underWay = null;
    };
    answer.then(ended, ended);
    this.underWay = reading;
    return answer;
  }

  /** The value that was read last, however long ago; undefined: none was. */
  last(): T | undefined {
    return this.known?.value;
  }

  /** @param askedAt when what gave the value began; an older value does not replace a newer one */
  put(value: T, askedAt: number): void {
    if (this.known && this.known.askedAt > askedAt) return;
    this.known = { value, askedAt };
  }

  private isRecent({ askedAt }: { askedAt: number }): boolean {
    return this.options.monotonicNow() - askedAt < (this.options.keptMs ?? changesKeptMs);
  }
}
