import type { PartitionRef } from '@sluice/ports';

/** Values by partition. It is asked several times for each event, so that no text is made to look one up. */
export class ByPartition<V> {
  private readonly topics = new Map<string, Map<number, V>>();

  get({ topic, partition }: PartitionRef): V | undefined {
    return this.topics.get(topic)?.get(partition);
  }

  set({ topic, partition }: PartitionRef, value: V): void {
    const ofTopic = this.topics.get(topic);
    if (ofTopic) ofTopic.set(partition, value);
    else this.topics.set(topic, new Map([[partition, value]]));
  }

  /** Whether there was one. */
  delete({ topic, partition }: PartitionRef): boolean {
    return this.topics.get(topic)?.delete(partition) ?? false;
  }

  clear(): void {
    this.topics.clear();
  }

  /** All of them, or those of one topic. */
  values(topic?: string): V[] {
    if (topic !== undefined) return [...(this.topics.get(topic)?.values() ?? [])];
    return [...this.topics.values()].flatMap((ofTopic) => [...ofTopic.values()]);
  }
}
