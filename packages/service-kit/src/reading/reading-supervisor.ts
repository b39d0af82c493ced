import { StoreUnavailable } from '@sluice/ports';
import { type ReadingPlace, ReadingTroubles, type ReadingTroublesOptions } from './reading-troubles';
import { type OpenFollower, TopicFollower } from './topic-follower';
import { type OpenReader, TopicReader } from './topic-reader';

export interface ReadingSupervisorOptions extends ReadingTroublesOptions {
  sleep(ms: number): Promise<void>;
}

/** While the database is away; that is no failure of reading. */
const outageWaitMs = 500;

/**
 * Keeps a service reading. Nothing of it ends for good: every failure is logged, counted, shown in readiness and tried again
 * after growing waits; what fails for longer than the setting ends liveness.
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
   * Takes in what was handed over, however often that fails: what is thrown into the bus would end the reading of all partitions.
   * While the database is away it waits and tells nobody.
   * @param wanted false once it is nobody's business any more: then it gives up
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
