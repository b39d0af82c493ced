import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { BillingDeps } from './deps';
import { orderView } from './order-view';
import { withProvider } from './with-provider';

export function postBillingOrderConfirm({ authenticate, billing, store }: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.confirmOrder, {
    authenticate,
    handler: async ({ params, principal: { organization } }) => {
      const order = await store.billing.order(organization.id, params.order_id);
      if (!order) throw apiError('Not Found');
      const ids = order.status === 'completed' ? {} : await withProvider(billing.paid(order.reference!));
      if (ids === null) throw apiError('order_not_paid');
      const completed = await store.billing.completeOrder(organization.id, order.id, ids);
      if (!completed) throw apiError('Not Found');
      return { status: 200, body: orderView(completed) };
    },
  });
}
