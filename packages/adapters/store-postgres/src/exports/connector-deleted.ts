import type { Transaction } from '../config-client/config-client';

/**
 * What the deletion of a connector does to the exports of its organization, in the same transaction: packages expire, the export
 * of the connector fails, and one that is being prepared is prepared again without its data. Runs learn of it at their next step.
 */
export async function exportsAfterDeletion(tx: Transaction, organizationId: string, connectorId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE data_exports SET
      status = CASE WHEN status = 'completed' THEN 'expired' WHEN connector_id IS NULL THEN status ELSE 'failed' END,
      error = CASE WHEN status <> 'completed' AND connector_id IS NOT NULL THEN 'scope_not_found' END,
      package_key = NULL,
      generation = generation + 1
    WHERE organization_id = ${organizationId}::uuid
      AND (status = 'completed' OR status IN ('queued',
        'running') AND (connector_id IS NULL OR connector_id = ${connectorId}::uuid))`;
}
