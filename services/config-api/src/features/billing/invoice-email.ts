import type { Principal } from '../../auth/principal';
import type { BillingDeps } from './deps';

/** Whom the provider writes to: the address for invoices, else the owner who orders. */
export async function invoiceEmail({ store }: Pick<BillingDeps, 'store'>, principal: Principal): Promise<string | null> {
  const details = await store.billing.details(principal.organization.id);
  return details?.billingEmail ?? (principal.kind === 'user' ? principal.email : null);
}
