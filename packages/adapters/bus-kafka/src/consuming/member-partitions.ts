import type { PartitionHandlers, ReceivedMessage } from '@sluice/ports';
import type { Consumer } from 'kafkajs';
import { createPartitionPump, type FetchedFrom, type PartitionPump } from './partition-pump';
import type { WatchedPartition } from './stall-watch';

export interface MemberPartitionsOptions {
  topic: string;
  handlers: PartitionHandlers;
  /** The consumer that fetches now; undefined between two of them. */
  consumer(): Consumer | undefined;
  /** A handler threw, which is a bug of the caller. */
  threw(error: unknown): void;
}

/**
 * A partition that comes from a living member starts this much later, in milliseconds: both learn of the new generation at the
 * same time, and `revoked` of the old owner must be called first.
 */
export const handoverMs = 250;

/**
 * The partitions of one member of a group.
 *
 * Invariants:
 * - A partition has a pump while the member has it. kafkajs starts every partition again from its committed offset after each
 *   rebalance; one that stays keeps its pump and continues at its position, and its handler notices nothing.
 * - `assigned` is called when the pump starts, `handoverMs` after the partition came; `revoked` once for each `assigned`.
 * - A pump that was dropped is in `closing` until no handler of it runs any more.
 */
export class MemberPartitions {
  private readonly pumps = new Map<number, PartitionPump>();
  private readonly closing = new Set<Promise<void>>();
  private beforeDrop: number[] = [];

  constructor(private readonly options: MemberPartitionsOptions) {}

  /** The pump of a partition of this member. It is another one each time that the partition comes. */
  pumpOf(partition: number): PartitionPump | undefined {
    return this.pumps.get(partition);
  }

  /** Those of this member. After all were dropped: those that it had, because it asks the group for them again. */
  wanted(): number[] {
    return this.pumps.size > 0 ? [...this.pumps.keys()] : this.beforeDrop;
  }

  states(): WatchedPartition[] {
    return [...this.pumps].map(([partition, pump]) => ({ partition, next: pump.next(), idle: pump.idle() }));
  }

  /** @returns false: they must be fetched again (see `PartitionPump.push`) */
  push(partition: number, messages: ReceivedMessage[], fetch: FetchedFrom): boolean {
    return this.pumps.get(partition)?.push(messages, fetch) ?? true;
  }

  /** A generation of the group began with these. `sameMember`: no other member had them in between. */
  assign(partitions: readonly number[], sameMember: boolean): void {
    for (const partition of [...this.pumps.keys()]) if (!sameMember || !partitions.includes(partition)) this.drop(partition);
    for (const partition of partitions) {
      const next = this.pumps.get(partition)?.next();
      if (!this.pumps.has(partition)) this.take(partition);
      else if (next !== undefined) this.seek(partition, next);
    }
  }

  rewind(partition: number, next: bigint): void {
    const pump = this.pumps.get(partition);
    if (!pump) return;
    pump.rewind(next);
    this.seek(partition, next);
  }

  dropAll(): void {
    if (this.pumps.size > 0) this.beforeDrop = [...this.pumps.keys()];
    for (const partition of [...this.pumps.keys()]) this.drop(partition);
  }

  /** Resolves when no handler of a dropped partition runs any more. */
  async closed(): Promise<void> {
    await Promise.all(this.closing);
  }

  private take(partition: number): void {
    const { handlers, threw } = this.options;
    const isMine = (): boolean => this.pumps.get(partition) === pump;
    const flow = (open: boolean): void => { if (isMine()) this.setFlow(partition, open); };
    const pump = createPartitionPump({ deliver: (messages) => handlers.messages(partition, messages), flow, failed: threw });
    this.pumps.set(partition, pump);
    // kafkajs remembers pauses, also of a partition that was revoked in between.
    this.setFlow(partition, true);
    setTimeout(() => {
      if (!isMine()) return;
      this.tell(() => {
        handlers.assigned(partition);
        pump.start();
      });
    }, handoverMs);
  }

  private drop(partition: number): void {
    const pump = this.pumps.get(partition);
    this.pumps.delete(partition);
    if (!pump) return;
    const closed = pump.close().finally(() => this.closing.delete(closed));
    this.closing.add(closed);
    if (pump.started()) this.tell(() => this.options.handlers.revoked(partition));
  }

  private setFlow(partition: number, open: boolean): void {
    const target = [{ topic: this.options.topic, partitions: [partition] }];
    if (open) this.options.consumer()?.resume(target);
    else this.options.consumer()?.pause(target);
  }

  private seek(partition: number, next: bigint): void {
    this.options.consumer()?.seek({ topic: this.options.topic, partition, offset: String(next) });
  }

  private tell(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.options.threw(error);
    }
  }
}
