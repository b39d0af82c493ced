import { eventsInbound, eventsOutbound, type EventEnvelope, type SourceType, type Topic } from '@sluice/contracts';
import type { EventBus } from '@sluice/ports';

/** The topic of a source's events: changes of the CRM go out, everything else goes into it. */
export const eventTopic = (source: SourceType): Topic<EventEnvelope> => (source === 'crm' ? eventsOutbound : eventsInbound);

/** Partitions of topics, read once each: those of a running cluster never change. */
export interface PartitionCounts {
  /** Synchronous once it is known. */
  of(topic: string): number | Promise<number>;
}

export function createPartitionCounts(bus: Pick<EventBus, 'partitions'>): PartitionCounts {
  const known = new Map<string, number>();
  const read = async (topic: string): Promise<number> => {
    const count = await bus.partitions(topic);
    known.set(topic, count);
    return count;
  };
  return { of: (topic) => known.get(topic) ?? read(topic) };
}
