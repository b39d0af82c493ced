import { planLimits } from '@sluice/contracts';
import type { SeatRefusal } from '@sluice/ports';
import type { Organization } from '../../generated/client';
import type { Reader } from '../../config-client/config-client';
import { organizationRow } from '../config-rows';

/**
 * Seats in use: members and open invitations.
 * @param but an invitation that does not count
 */
export async function usedSeats(reader: Reader, organizationId: string, but: string | null = null): Promise<number> {
  const [row] = await reader.$queryRaw<{ used: number }[]>`
    SELECT ((SELECT count(*) FROM memberships WHERE organization_id = ${organizationId}::uuid)
      + (SELECT count(*) FROM invitations WHERE organization_id = ${organizationId}::uuid
          AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now() AND id IS DISTINCT FROM ${but}::uuid))::int AS used`;
  return row!.used;
}

/** Why nobody more can join or be invited, by the plan in force; null when somebody can. Asked under the organization's lock. */
export async function seatRefusal(reader: Reader, row: Organization, but: string | null = null): Promise<SeatRefusal | null> {
  const organization = organizationRow(row);
  const limit = planLimits(organization).seats_limit;
  if (limit === null) return null;
  const usage = await usedSeats(reader, row.id, but);
  return usage < limit ? null : { ok: false, reason: 'seat_limit_reached', limit, usage, organization };
}
