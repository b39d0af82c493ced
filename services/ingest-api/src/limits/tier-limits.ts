import type { ConnectorChange, Tier } from '@sluice/contracts';

/** Requests per second and organization (docs/reference/accounts-and-plans.md, Plans). */
const requestsPerSecond: Readonly<Record<Tier, number>> = { free: 10, trial: 100, starter: 25, pro: 50, scale: 100, enterprise: 100 };

/** Events per calendar month; null: unlimited. */
const eventsPerMonth: Readonly<Record<Tier, number | null>> = { free: 2_000, starter: 25_000, pro: 75_000, scale: 400_000, trial: 20_000, enterprise: null };

type Organization = ConnectorChange['organization'];

/** null: not limited. @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off */
export function rateOf(organization: Organization, scale: number): number | null {
  return scale === 0 ? null : Math.max(1, Math.round(requestsPerSecond[organization.tier] * scale));
}

/** An agreed limit replaces the plan's own. null: unlimited. */
export function monthlyEventsOf(organization: Organization): number | null {
  const agreed = organization.limits.events_limit;
  return agreed === undefined ? eventsPerMonth[organization.tier] : agreed;
}
