import { countCustomTypes, type PlanLimits } from '@sluice/contracts';
import type { Quota } from '@sluice/event-intake';
import type { ConfigStore, EventIndex } from '@sluice/ports';
import { iso } from '../http/iso';

/** What an organization uses of its plan, by the names of the billing view. */
export interface PlanUsage {
  connectors_used: number;
  event_sources_used: number;
  events_used_this_period: number;
  seats_used: number;
  portals_used: number;
  custom_object_types_used: number;
}

const usedFor: Readonly<Record<keyof PlanLimits, keyof PlanUsage>> = {
  connectors_limit: 'connectors_used', event_sources_limit: 'event_sources_used', events_limit: 'events_used_this_period',
  seats_limit: 'seats_used', portals_limit: 'portals_used', custom_object_types_limit: 'custom_object_types_used',
};

/** What is used of one limit. */
export const usedOf = (usage: PlanUsage, limit: keyof PlanLimits): number => usage[usedFor[limit]];

/** The first moment of the calendar month (UTC) of `now`, or of a later one. */
export const monthStart = (now: Date, later = 0): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1));

/** What `planUsage` asks. */
export interface PlanUsageDeps {
  eventIndex: Pick<EventIndex, 'acceptedSince' | 'reservedSince'>;
  quota: Pick<Quota, 'counted'>;
  store: Pick<ConfigStore, 'organizations'>;
}

export async function planUsage(deps: PlanUsageDeps, organizationId: string, now: Date): Promise<PlanUsage> {
  const { organizations } = deps.store;
  const [usage, objectTypes, events] = await Promise.all([
    organizations.usage(organizationId), organizations.objectTypes(organizationId), eventsUsed(deps, organizationId, now),
  ]);
  return {
    connectors_used: usage.connectors, event_sources_used: usage.eventSources, events_used_this_period: events,
    seats_used: usage.seats, portals_used: usage.portals, custom_object_types_used: countCustomTypes(objectTypes),
  };
}

/**
 * Events of the month. The index gets them a moment after they were accepted; the counter of the quota has them at once, and in
 * it the rows that imports have reserved and not written.
 */
async function eventsUsed({ eventIndex, quota }: PlanUsageDeps, organizationId: string, now: Date): Promise<number> {
  const since = iso(monthStart(now));
  const [indexed, reserved, counted] = await Promise.all([
    eventIndex.acceptedSince(organizationId, since), eventIndex.reservedSince(organizationId, since),
    quota.counted(organizationId),
  ]);
  return Math.max(indexed, (counted ?? 0) - reserved);
}
