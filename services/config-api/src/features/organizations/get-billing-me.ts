import { configRoutes, planLimits } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import { monthStart, planUsage } from '../../plan/plan-usage';
import { upgradeUrl } from '../../plan/upgrade-url';
import type { OrganizationDeps } from './deps';

export function getBillingMe(deps: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.billingMe, {
    authenticate: deps.authenticate,
    handler: async ({ principal: { organization } }) => {
      const [limits, now] = [planLimits(organization), new Date()];
      return {
        status: 200,
        body: {
          tier: organization.tier,
          ...limits,
          ...(await planUsage(deps, organization.id, now)),
          period_resets_at: iso(monthStart(now, 1)),
          custom_objects_enabled: limits.custom_object_types_limit !== 0,
          upgrade_url: upgradeUrl(deps),
          ...(organization.trialBlocked !== null && { trial_blocked_reason: organization.trialBlocked }),
        },
      };
    },
  });
}
