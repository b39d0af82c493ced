import type { OrganizationRow } from '@sluice/ports';
import { rateLimitError } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import { planLimits } from './plan-limits';

/** Connectors and keys that an organization may create within an hour: without and with a limit of connectors in its plan. */
const [perHourUnlimited, perHourLimited] = [3_000, 300];
const windowMs = 3_600_000;

/** Counts one creation; throws HttpError 429 when the organization has created too many lately. */
export type CreationLimit = (organization: OrganizationRow) => Promise<void>;

/**
 * What is created and deleted again leaves a row, a message in every reader's log and an audit entry. Limits of a plan count what
 * is there at one time, this one what was made.
 * @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off
 */
export function createCreationLimit(limits: Pick<LimitStore, 'slideWindow'>, scale: number): CreationLimit {
  if (scale === 0) return async () => undefined;
  return async (organization) => {
    const perHour = planLimits(organization).connectors_limit === null ? perHourUnlimited : perHourLimited;
    const limit = Math.max(1, Math.round(perHour * scale));
    const { allowed, remaining, resetMs } = await limits.slideWindow(`config-created:${organization.id}`, { limit, windowMs });
    if (!allowed) throw rateLimitError({ limit, remaining, resetMs, retryAfterMs: resetMs });
  };
}
