import type { BillingOrder } from '../../generated/client';
import { timeIn } from '../../config-client/database-time';
import type { Transaction } from '../../config-client/config-client';

/** The columns of an order that was paid. */
export const paidNow = async (tx: Transaction) => ({ status: 'completed', url: null, completed_at: await timeIn(tx, 0) });

/** Completes the order that a payment was for. null: the payment is for none of the organization's. */
export async function completePaidOrder(
  tx: Transaction, organizationId: string, reference: string | null,
): Promise<BillingOrder | null> {
  if (reference === null) return null;
  const order = await tx.billingOrder.findFirst({ where: { organization_id: organizationId, reference } });
  if (order?.status === 'pending') await tx.billingOrder.update({ where: { id: order.id }, data: await paidNow(tx) });
  return order;
}
