import type { Tier } from '../connector-change';

/** Limits by the billing view's names; null means unlimited. */
export interface PlanLimits {
  connectors_limit: number | null;
  event_sources_limit: number | null;
  events_limit: number | null;
  seats_limit: number | null;
  portals_limit: number | null;
  custom_object_types_limit: number | null;
}

/** The facts that decide an organization's limits. */
export interface LimitedOrganization {
  tier: Tier;
  /** Agreed limits by name, null for unlimited; absent names follow the tier. */
  limits: Readonly<Record<string, number | null>>;
}

type Limit = number | null;

const plan = (
  connectors: Limit,
  sources: Limit,
  events: Limit,
  seats: Limit,
  portals: Limit,
  customTypes: Limit,
): PlanLimits => ({
  connectors_limit: connectors,
  event_sources_limit: sources,
  events_limit: events,
  seats_limit: seats,
  portals_limit: portals,
  custom_object_types_limit: customTypes,
});

/** The limits of each plan (docs/reference/accounts-and-plans.md). The limits of an enterprise contract are its agreed limits. */
const plans: Readonly<Record<Tier, PlanLimits>> = {
  free: plan(1, 4, 2_000, 1, 1, 0),
  starter: plan(1, 4, 25_000, 5, 1, 0),
  pro: plan(5, 5, 75_000, 5, 1, 0),
  scale: plan(15, 15, 400_000, 5, 3, 5),
  trial: plan(15, 15, 20_000, 5, 3, 5),
  enterprise: plan(null, null, null, null, null, null),
};

/** Requests of the event plane per second and organization (docs/reference/accounts-and-plans.md, Plans). */
export const eventRequestsPerSecond: Readonly<Record<Tier, number>> = {
  free: 10, trial: 100, starter: 25, pro: 50, scale: 100, enterprise: 100,
};

/** The limits in force. */
export const planLimits = (organization: LimitedOrganization): PlanLimits =>
  withAgreed(plans[organization.tier], organization.limits);

/** The limit of events in a month alone, which every event asks for. */
export function eventsLimit({ tier, limits: { events_limit: agreed } }: LimitedOrganization): number | null {
  return agreed === undefined ? plans[tier].events_limit : agreed;
}

/** A plan's own limits with the agreed ones in their place. Agreed limits of other names are not the plan's. */
export function withAgreed<L extends { [name in keyof L]: number | null }>(own: L, agreed: LimitedOrganization['limits']): L {
  const limits = { ...own };
  for (const name of Object.keys(own) as (keyof L & string)[]) {
    const limit = agreed[name];
    if (limit !== undefined) limits[name] = limit as L[typeof name];
  }
  return limits;
}

/** Whether the plan includes plugins, and with them test connectors. */
export const hasPlugins = (tier: Tier): boolean => tier === 'enterprise';
