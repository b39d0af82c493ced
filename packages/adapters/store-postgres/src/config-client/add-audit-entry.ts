import type { AuditEntry } from '@sluice/ports';
import type { Prisma } from '../generated/client';

/** @param reader the transaction of the change, or the client for what changed nothing */
export async function addAuditEntry(
  reader: Pick<Prisma.TransactionClient, 'auditEntry'>,
  { organizationId, actor, action, target, ip, requestId, outcome, reason }: AuditEntry,
): Promise<void> {
  await reader.auditEntry.create({
    data: {
      organization_id: organizationId,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_label: actor.label,
      action,
      target_type: target.type,
      target_id: target.id,
      ip,
      request_id: requestId,
      outcome,
      reason,
    },
  });
}
