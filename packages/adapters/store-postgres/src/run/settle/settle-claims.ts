import { type ClaimKey, type Settlement, unitKeyText } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, keyText } from '../../bulk-rows';

const key = { portal_id: 'text', object_type: 'text', property: 'text', value: 'text' } as const;
const done = bulkRows({ ...key, connector_id: 'uuid', unit: 'text', crm_id: 'text' });
const released = bulkRows({ ...key, unit: 'text', crm_id: 'text' });

const doneSql = `
  INSERT INTO identity_claims (${done.names}, done_at) SELECT ${done.values}, now() FROM ${done.from}
  ORDER BY r.portal_id, r.object_type, r.property, r.value
  ON CONFLICT (portal_id, object_type, property, value) DO UPDATE SET crm_id = excluded.crm_id, done_at = excluded.done_at`;

/**
 * Only its own unit releases a pending claim; any unit that found its record deleted releases a done one, if it still names that
 * record: another unit may have claimed and created a new one meanwhile.
 */
const releaseSql = `
  DELETE FROM identity_claims c USING ${released.from}
  WHERE c.portal_id = r.portal_id AND c.object_type = r.object_type AND c.property = r.property AND c.value = r.value
    AND (c.crm_id = r.crm_id OR (c.crm_id IS NULL AND r.crm_id IS NULL AND c.unit = r.unit))`;

/** Ends claims: done with the record's id, or given up. */
export async function settleClaims(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const release = new Map<string, BulkRow>();
  const finish = new Map<string, BulkRow>();
  for (const { unit, connectorId, claimsReleased, claimsDone } of settlements) {
    for (const claim of claimsReleased)
      release.set(`${unitKeyText(unit)} ${claimKeyText(claim)}`, {
        unit: unitKeyText(unit),
        crm_id: claim.crmId ?? null,
        ...claimColumns(claim),
      });
    for (const claim of claimsDone)
      finish.set(claimKeyText(claim), {
        connector_id: connectorId,
        unit: unitKeyText(unit),
        crm_id: claim.crmId,
        ...claimColumns(claim),
      });
  }
  if (release.size > 0)
    await client.query({ name: 'settle-claims-released', text: releaseSql, values: [bulkParameter([...release.values()])] });
  if (finish.size > 0)
    await client.query({ name: 'settle-claims-done', text: doneSql, values: [bulkParameter([...finish.values()])] });
}

const claimKeyText = ({ portalId, objectType, property, value }: ClaimKey): string =>
  JSON.stringify([portalId, objectType, property, value]);

export const claimColumns = ({ portalId, objectType, property, value }: ClaimKey): BulkRow => ({
  portal_id: portalId,
  object_type: objectType,
  property,
  value: keyText(value),
});
