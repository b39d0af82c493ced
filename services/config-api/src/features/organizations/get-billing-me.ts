import { configRoutes, countCustomTypes, planLimits } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { iso } from '../../http/iso';
import { upgradeUrl } from '../../plan/upgrade-url';

export function getBillingMe(deps: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.billingMe, {
    authenticate: deps.authenticate,
    handler: async ({ principal: { organization } }) => {
      const limits = planLimits(organization);
      const now = new Date();
      const [usage, objectTypes, events] = await Promise.all([
        deps.store.organizations.usage(organization.id),
        deps.store.organizations.objectTypes(organization.id),
        deps.eventIndex.acceptedSince(organization.id, iso(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)))),
      ]);
      return {
        status: 200,
        body: {
          tier: organization.tier,
          ...limits,
          connectors_used: usage.connectors,
          event_sources_used: usage.eventSources,
          seats_used: usage.seats,
          portals_used: usage.portals,
          events_used_this_period: events,
          period_resets_at: iso(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))),
          custom_object_types_used: countCustomTypes(objectTypes),
          custom_objects_enabled: limits.custom_object_types_limit !== 0,
          upgrade_url: upgradeUrl(deps),
          ...(organization.trialBlocked !== null && { trial_blocked_reason: organization.trialBlocked }),
        },
      };
    },
  });
}
