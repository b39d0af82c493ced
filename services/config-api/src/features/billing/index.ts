import type { HttpRoute } from '@sluice/service-kit';
import type { BillingDeps } from './deps';
import { getBillingAgreements } from './get-billing-agreements';
import { getBillingDetails } from './get-billing-details';
import { postBillingAgreementAccept } from './post-billing-agreement-accept';
import { postBillingChangePreview } from './post-billing-change-preview';
import { postBillingCheckout } from './post-billing-checkout';
import { postBillingOrderConfirm } from './post-billing-order-confirm';
import { postBillingPortal } from './post-billing-portal';
import { postStripeWebhook } from './post-stripe-webhook';
import { putBillingDetails } from './put-billing-details';

/** The routes of plans, orders and invoices. */
export const billingRoutes = (deps: BillingDeps): HttpRoute[] => [
  getBillingAgreements(deps),
  getBillingDetails(deps),
  postBillingAgreementAccept(deps),
  postBillingChangePreview(deps),
  postBillingCheckout(deps),
  postBillingOrderConfirm(deps),
  postBillingPortal(deps),
  postStripeWebhook(deps),
  putBillingDetails(deps),
];
