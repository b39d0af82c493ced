import { goesBefore, type KeyValue, KeyValueUnavailable, type MonotonicClock, type WorkClass } from '@sluice/ports';

/** Calls that a limit allows: at most `capacity` at once, and `refillPerSecond`. */
export interface CallRate {
  capacity: number;
  refillPerSecond: number;
}

export interface CallBucketDeps {
  kv: Pick<KeyValue, 'takeTokens'>;
  monotonicNow: MonotonicClock;
  /** Processes that share the limit. */
  sharers(): number;
}

type LowerClass = Exclude<WorkClass, 'live'>;

/** The part of a bucket that a class leaves for those before it. */
const left: Record<LowerClass, number> = { replay: 1 / 4, import: 1 / 2, verification: 3 / 4 };
/** The part of a limit that is a class's own: it is used also where nothing is left over. */
const guaranteed: Record<LowerClass, number> = { replay: 0.05, import: 0.05, verification: 0.02 };

/**
 * One limit of a portal's calls, shared by the classes of work. Live work may empty the bucket. Other work leaves a part of it,
 * larger for later classes, so that live calls find tokens at once. Each has a small bucket of its own: with a token of that it
 * takes one of the shared bucket in advance, so that it goes on while live work uses everything up.
 */
export class CallBucket {
  private readonly shared: SharedTokens;
  private readonly own: Record<LowerClass, SharedTokens>;

  constructor(deps: CallBucketDeps, key: string) {
    const tokens = (name: string): SharedTokens => new SharedTokens(deps, name);
    this.shared = tokens(key);
    this.own = {
      replay: tokens(`${key}:replay`), import: tokens(`${key}:import`), verification: tokens(`${key}:verification`),
    };
  }

  /** Milliseconds to wait before a call may start; 0 and a token taken when it may. */
  async take(rate: CallRate, workClass: WorkClass): Promise<number> {
    if (!goesBefore('live', workClass)) return this.shared.take(rate, 0);
    const lower = workClass as LowerClass;
    const wait = await this.shared.take(rate, Math.min(rate.capacity * left[lower], rate.capacity - 1));
    if (wait === 0) return 0;
    const ownWait = await this.own[lower].take(shareOf(rate, guaranteed[lower]), 0);
    if (ownWait > 0) return Math.min(wait, ownWait);
    return this.shared.take(rate, -mostInAdvance(rate));
  }

  /** Sets what this process has while the shared store is away. */
  startLocal(tokens: number): void {
    this.shared.startLocal(tokens);
  }
}

const shareOf = ({ capacity, refillPerSecond }: CallRate, part: number): CallRate => (
  { capacity: Math.max(1, capacity * part), refillPerSecond: refillPerSecond * part }
);

const mostInAdvance = (rate: CallRate): number =>
  Object.values(guaranteed).reduce((sum, part) => sum + shareOf(rate, part).capacity, 0);

/** A bucket in the key-value store; while that cannot be reached, this process's part of it. */
class SharedTokens {
  private tokens = 0;
  private at: number;

  constructor(private readonly deps: CallBucketDeps, private readonly key: string) {
    this.at = deps.monotonicNow();
  }

  /** @param leave tokens that stay; below 0: so many may be taken in advance */
  async take(rate: CallRate, leave: number): Promise<number> {
    try {
      const { granted, waitMs } = await this.deps.kv.takeTokens(this.key, { ...rate, want: 1, leave });
      return granted >= 1 ? 0 : Math.max(1, waitMs);
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      return this.takeLocal(rate, leave);
    }
  }

  startLocal(tokens: number): void {
    this.tokens = tokens;
    this.at = this.deps.monotonicNow();
  }

  private takeLocal({ capacity, refillPerSecond }: CallRate, leave: number): number {
    const part = Math.max(1, this.deps.sharers());
    const now = this.deps.monotonicNow();
    const refill = refillPerSecond / part;
    // With more runners than calls, a share below one call would never suffice for a call.
    const most = Math.max(1, capacity / part);
    this.tokens = Math.min(most, this.tokens + ((now - this.at) / 1_000) * refill);
    this.at = now;
    const kept = Math.min(leave / part, most - 1);
    if (this.tokens - kept < 1) return Math.ceil(((1 + kept - this.tokens) / refill) * 1_000);
    this.tokens -= 1;
    return 0;
  }
}
