import type { Verification, VerifiedRow } from '@sluice/ports';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
export const verificationOf = (row: any): Verification => ({
  id: row.id, organizationId: row.organization_id, connectorId: row.connector_id, entity: row.entity, subjects: row.request,
  status: row.status, checked: row.checked, matched: row.matched, mismatched: row.mismatched, missing: row.missing,
  notVerifiable: row.not_verifiable, error: row.error, createdAt: row.created_at, completedAt: row.completed_at,
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
export const verifiedRowOf = (row: any): VerifiedRow => (
  { n: row.n, externalId: row.external_id, crmId: row.crm_id, status: row.status, properties: row.properties }
);
