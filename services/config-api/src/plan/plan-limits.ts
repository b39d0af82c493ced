import type { Tier } from '@sluice/contracts';

/** Limits by the billing view's names; null means unlimited. */
export interface PlanLimits {
  connectors_limit: number | null;
  event_sources_limit: number | null;
  events_limit: number | null;
  seats_limit: number | null;
  portals_limit: number | null;
  custom_object_types_limit: number | null;
}

const plan = (connectors: number | null, sources: number | null, events: number | null, seats: number | null, portals: number | null, customTypes: number | null): PlanLimits => ({
  connectors_limit: connectors, event_sources_limit: sources, events_limit: events, seats_limit: seats, portals_limit: portals, custom_object_types_limit: customTypes,
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

/** The limits in force: agreed ones replace the plan's own. */
export function planLimits(organization: { tier: Tier; limits: Readonly<Record<string, number | null>> }): PlanLimits {
  const limits: PlanLimits = { ...plans[organization.tier] };
  for (const name of Object.keys(limits) as (keyof PlanLimits)[]) {
    const agreed = organization.limits[name];
    if (agreed !== undefined) limits[name] = agreed;
  }
  return limits;
}

/** Whether the plan includes plugins, and with them test connectors. */
export const hasPlugins = (tier: Tier): boolean => tier === 'enterprise';

/** Days of a trial, in milliseconds. */
export const trialMs = 14 * 86_400_000;
