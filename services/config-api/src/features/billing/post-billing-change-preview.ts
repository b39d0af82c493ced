import { configRoutes, type PlanLimits, planLimits } from '@sluice/contracts';
import { type OrganizationRow, planOf } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import { type PlanUsage, planUsage, usedOf } from '../../plan/plan-usage';
import { billingAccount } from './billing-account';
import type { BillingDeps } from './deps';
import { invoiceEmail } from './invoice-email';
import { wantedPlan } from './wanted-plan';
import { withProvider } from './with-provider';

export function postBillingChangePreview(deps: BillingDeps): HttpRoute {
  return implementRoute(configRoutes.previewPlanChange, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal }) => {
      const { billing, store } = deps;
      const { organization } = principal;
      const [next, subscription] = [wantedPlan(body), await store.billing.subscription(organization.id)];
      const order = {
        account: billingAccount(organization.id, subscription), plan: next, email: await invoiceEmail(deps, principal),
      };
      const [quote, usage] = await Promise.all([
        withProvider(billing.quote(order)), planUsage(deps, organization.id, new Date()),
      ]);
      return {
        status: 200,
        body: {
          current: planOf(organization, subscription), next, amount_due: quote.amountDue, currency: quote.currency,
          effective_at: iso(quote.effectiveAt), exceeded: exceeded({ ...organization, tier: next.tier }, usage),
        },
      };
    },
  });
}

/** Limits that what is used would be over. */
function exceeded(organization: OrganizationRow, usage: PlanUsage) {
  return (Object.entries(planLimits(organization)) as [keyof PlanLimits, number | null][]).flatMap(([limit, allowed]) => {
    const used = usedOf(usage, limit);
    return allowed !== null && used > allowed ? [{ limit, used, allowed }] : [];
  });
}
