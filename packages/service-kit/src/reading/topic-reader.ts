import type { ReadingPlace, ReadingTroubles } from './reading-troubles';

/** A subscription or a follower. */
export interface OpenReader {
  /** Resolves (never rejects) with what a handler rejected with; the reader has then stopped. */
  readonly failed: Promise<unknown>;
  stop(): Promise<void>;
}

export interface TopicReaderOptions<R extends OpenReader> {
  place: ReadingPlace;
  open(): Promise<R>;
  troubles: ReadingTroubles;
  sleep(ms: number): Promise<void>;
}

/** A long wait is slept in pieces, so that a stop ends it. */
const pieceMs = 500;

/** Reads a topic until it is stopped: a reader that fails, or cannot be opened again, is opened anew after growing waits. */
export class TopicReader<R extends OpenReader> {
  private reader: R | undefined;
  private asked = false;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: TopicReaderOptions<R>) {}

  /** Opens it. @throws when that fails, so that the start of the service fails */
  async start(): Promise<void> {
    const opening = this.open();
    // A stop waits for it; its error is passed to the caller of start.
    this.running = opening.catch(() => undefined);
    await opening;
  }

  /** The reader that was opened last. */
  current(): R | undefined {
    return this.reader;
  }

  /** Closes and opens again. All calls before the new reader begins share one. */
  renew(): void {
    if (this.asked || this.stopped) return;
    this.asked = true;
    this.running = this.running.then(() => this.leave()).then(() => this.openUntilDone());
  }

  /** Opens nothing any more; what is open goes on until `stop`. */
  openNoMore(): void {
    this.stopped = true;
  }

  /** Resolves when nothing is read any more. */
  async stop(): Promise<void> {
    this.openNoMore();
    await this.running;
    await this.reader?.stop();
  }

  private async open(): Promise<void> {
    const reader = await this.options.open();
    this.reader = reader;
    this.options.troubles.works(this.options.place);
    void reader.failed.then((error) => this.failed(reader, error));
  }

  private async failed(reader: R, error: unknown): Promise<void> {
    const waitMs = this.options.troubles.failed(this.options.place, error);
    if (this.reader !== reader) return this.options.troubles.works(this.options.place);
    await this.pause(waitMs);
    if (this.reader === reader && !this.stopped) this.renew();
  }

  private async leave(): Promise<void> {
    // It may fail while it is leaving: the next one begins in any case.
    const { troubles, place } = this.options;
    if (!this.stopped) await this.reader?.stop().catch((error: unknown) => troubles.failed(place, error));
    // Calls from here on belong to the new reader.
    this.asked = false;
  }

  private async openUntilDone(): Promise<void> {
    while (!this.stopped && !this.asked) {
      try {
        return await this.open();
      } catch (error) {
        await this.pause(this.options.troubles.failed(this.options.place, error));
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !this.stopped; left -= pieceMs) await this.options.sleep(Math.min(pieceMs, left));
  }
}
