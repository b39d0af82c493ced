import type { KeyLanes } from '../key-lanes';
import type { Prng } from './prng';
import { CALL_TICKS, type Call, type Fate, type World } from './world';

export interface HeldRetriesSetup {
  readonly world: World;
  readonly prng: Prng;
  readonly lanes: Pick<KeyLanes<Fate>, 'isClearBefore'>;
}

interface Retry {
  readonly call: Call;
  /** The epoch under which its outcome is written. */
  readonly epoch: bigint;
}

/**
 * The held events of one process: it calls again for the first of each held lane, one call of a lane at a time.
 *
 * Invariant: every lane of an owned partition that has events in the held store is in `heldLanes`. A lane may stay there after
 * its partition was given up; then nothing is started for it.
 */
export class HeldRetries {
  private readonly heldLanes = new Set<string>();
  private readonly retries = new Map<string, Retry>();

  /** @param epochOf the epoch under which this process owns a partition; undefined: it does not */
  constructor(
    private readonly setup: HeldRetriesSetup,
    private readonly epochOf: (partition: number) => bigint | undefined,
  ) {}

  /** Reads from the store which lanes of a partition are held now. */
  learn(partition: number): void {
    const { world } = this.setup;
    for (const event of world.log[partition]!) this.heldLanes.delete(event.lane);
    for (const [lane, events] of world.held) if (events[0]!.partition === partition) this.heldLanes.add(lane);
  }

  /** Events of the lane have moved to the held store. */
  add(lane: string): void {
    this.heldLanes.add(lane);
  }

  has(lane: string): boolean {
    return this.heldLanes.has(lane);
  }

  /** Whether a call is under way. */
  active(): boolean {
    return this.retries.size > 0;
  }

  runsIn(partition: number): boolean {
    return [...this.retries.values()].some(({ call }) => call.event.partition === partition);
  }

  start(): void {
    const { world, prng, lanes } = this.setup;
    for (const lane of this.heldLanes) {
      const head = world.held.get(lane)?.[0];
      const epoch = head && this.epochOf(head.partition);
      if (!head || epoch === undefined || this.retries.has(lane) || prng.chance(0.6)) continue;
      if (!lanes.isClearBefore(head.partition, lane, head.offset)) continue;
      this.retries.set(lane, { call: world.startCall(head, new Set([head]), 1 + prng.int(CALL_TICKS)), epoch });
    }
  }

  /** Writes the outcomes of the calls that have ended. A failed one is called again. */
  end(): void {
    for (const [lane, retry] of this.retries) {
      if (retry.call.endsAt > this.setup.world.now) continue;
      this.retries.delete(lane);
      if (!retry.call.fails) this.finish(lane, retry);
    }
  }

  private finish(lane: string, { call: { event }, epoch }: Retry): void {
    const { world } = this.setup;
    world.write(event.partition, epoch, () => {
      world.done.add(event);
      const rest = world.held.get(lane)!.filter((other) => other !== event);
      if (rest.length > 0) {
        world.held.set(lane, rest);
        return;
      }
      world.held.delete(lane);
      if (this.epochOf(event.partition) === epoch) this.heldLanes.delete(lane);
    });
  }
}
