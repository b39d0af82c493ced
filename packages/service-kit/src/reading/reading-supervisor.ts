import { StoreUnavailable } from '@sluice/ports';
import { type ReadingPlace, ReadingTroubles, type ReadingTroublesOptions } from './reading-troubles';
import { type OpenFollower, TopicFollower } from './topic-follower';
import { type OpenReader, TopicReader } from './topic-reader';

export interface ReadingSupervisorOptions extends ReadingTroublesOptions {
  sleep(ms: number): Promise<void>;
}

/** Wait while the database is away, which is no failure of reading. */
const outageWaitMs = 500;

/**
 * Keeps a service reading. Reading never ends by itself: every failure is logged, counted, shown in readiness and tried again
 * after growing waits; one that lasts longer than the setting ends liveness.
 */
export class ReadingSupervisor extends ReadingTroubles {
  private readonly sleep: (ms: number) => Promise<void>;

  constructor(options: ReadingSupervisorOptions) {
    super(options);
    this.sleep = options.sleep;
  }

  reader<R extends OpenReader>(place: ReadingPlace, open: () => Promise<R>): TopicReader<R> {
    return new TopicReader({ place, open, troubles: this, sleep: this.sleep });
  }

  follower<R extends OpenFollower>(place: ReadingPlace, open: () => Promise<R>): TopicFollower<R> {
    return new TopicFollower({ place, open, troubles: this, sleep: this.sleep });
  }

  /**
   * Processes a delivered batch, and repeats that until it succeeds: an error thrown into the bus would end the reading of all
   * partitions. While the database is away it waits without logging.
   * @param wanted false when the work is not needed any more: then it gives up
   * @returns null when it gave up
   */
  async insist<T>(place: ReadingPlace, work: () => Promise<T>, wanted: () => boolean): Promise<T | null> {
    while (wanted()) {
      try {
        const result = await work();
        this.healed(place);
        return result;
      } catch (error) {
        await this.pause(this.waitFor(place, error), wanted);
      }
    }
    this.forget(place);
    return null;
  }

  private waitFor(place: ReadingPlace, error: unknown): number {
    if (!(error instanceof StoreUnavailable)) return this.failed(place, error);
    this.forget(place);
    return outageWaitMs;
  }

  private async pause(ms: number, wanted: () => boolean): Promise<void> {
    for (let left = ms; left > 0 && wanted(); left -= outageWaitMs) await this.sleep(Math.min(outageWaitMs, left));
  }
}
