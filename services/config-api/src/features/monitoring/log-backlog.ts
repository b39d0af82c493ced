import { eventsInbound, flowRunnerGroup } from '@sluice/contracts';
import type { EventBus } from '@sluice/ports';
import { keptFor } from '../../limits/kept-for';

/** Milliseconds for which a reading of the log serves every connector. */
const freshMs = 1_000;
/**
 * The log tells a time to an eighth of its age and does not know when ingestion stamped the event: events are looked for from a
 * little before.
 */
const marginMs = 2_000;

/** Since when the oldest inbound event of the log is not settled; null: all are. */
export type UnreadSince = () => Promise<Date | null>;

export function createUnreadSince(bus: Pick<EventBus, 'oldestUnread'>): UnreadSince {
  return keptFor(freshMs, async () => {
    const oldest = await bus.oldestUnread(eventsInbound.name, flowRunnerGroup);
    if (oldest === null) return null;
    const ageMs = Math.max(0, Date.now() - oldest);
    return new Date(oldest - ageMs / 4 - marginMs);
  });
}
