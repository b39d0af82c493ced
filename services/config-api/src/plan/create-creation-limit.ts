import { planLimits } from '@sluice/contracts';
import type { OrganizationRow } from '@sluice/ports';
import { countInWindow, scaledLimit } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';

/** Connectors and keys that an organization may create within an hour: without and with a limit of connectors in its plan. */
const [perHourUnlimited, perHourLimited] = [3_000, 300];
const windowMs = 3_600_000;

/** Counts one creation; throws HttpError 429 when the organization has created too many lately. */
export type CreationLimit = (organization: OrganizationRow) => Promise<void>;

/**
 * An object that is created and deleted again leaves a row, messages and an audit entry. Limits of a plan count what exists at
 * one time, this limit counts what was created.
 * @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the limit off
 */
export function createCreationLimit(limits: Pick<LimitStore, 'slideWindow'>, scale: number): CreationLimit {
  return async (organization) => {
    const perHour = planLimits(organization).connectors_limit === null ? perHourUnlimited : perHourLimited;
    const limit = scaledLimit(perHour, scale);
    if (limit !== null) await countInWindow(limits, `config-created:${organization.id}`, { limit, windowMs });
  };
}
