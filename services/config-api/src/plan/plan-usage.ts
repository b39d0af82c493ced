import { countCustomTypes, type PlanLimits } from '@sluice/contracts';
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

export async function planUsage(
  { eventIndex, store }: { eventIndex: Pick<EventIndex, 'acceptedSince'>; store: Pick<ConfigStore, 'organizations'> },
  organizationId: string,
  now: Date,
): Promise<PlanUsage> {
  const [usage, objectTypes, events] = await Promise.all([
    store.organizations.usage(organizationId),
    store.organizations.objectTypes(organizationId),
    eventIndex.acceptedSince(organizationId, iso(monthStart(now))),
  ]);
  return {
    connectors_used: usage.connectors, event_sources_used: usage.eventSources, events_used_this_period: events,
    seats_used: usage.seats, portals_used: usage.portals, custom_object_types_used: countCustomTypes(objectTypes),
  };
}
