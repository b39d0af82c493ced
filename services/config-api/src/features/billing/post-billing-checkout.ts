import { randomUUID } from 'node:crypto';
import { configRoutes } from '@sluice/contracts';
import { isOnPlan, type OrderOutcome, type NewOrder } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { billingAccount } from './billing-account';
import { invoiceEmail } from './invoice-email';
import type { BillingDeps } from './deps';
import { orderView } from './order-view';
import { wantedPlan } from './wanted-plan';
import { withProvider } from './with-provider';

/**
 * The provider is asked first: an order that is written is one that the provider has. A process that dies in between leaves
 * nothing that counts; what was paid for it the provider tells later.
 */
export function postBillingCheckout(deps: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.checkout, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal }) => {
      const { billing, store } = deps;
      const { organization } = principal;
      const [plan, subscription] = [wantedPlan(body), await store.billing.subscription(organization.id)];
      if (isOnPlan(organization, subscription, plan)) throw apiError('already_on_plan');
      const [id, account] = [randomUUID(), billingAccount(organization.id, subscription)];
      const order = { orderId: id, account, plan, email: await invoiceEmail(deps, principal) };
      const answer = await withProvider(billing.order(order));
      const added = await store.billing.addOrder({ id, organizationId: organization.id, plan, ...kept(answer) });
      if (!added.ok) throw apiError(added.reason);
      return { status: 201, body: orderView(added.order) };
    },
  });
}

/** What is written of the provider's answer. */
function kept(answer: OrderOutcome): Pick<NewOrder, 'ids' | 'outcome'> {
  const { customerId } = answer;
  if (answer.status === 'pending') return {
    ids: { customerId }, outcome: { status: 'pending', url: answer.url, reference: answer.reference },
  };
  const { effectiveAt, subscriptionId } = answer;
  return { ids: { customerId, subscriptionId }, outcome: { status: 'completed', effectiveAt } };
}
