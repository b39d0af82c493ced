import { configRoutes, planLimits } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';
import { createConnector } from '../connectors/create-connector';
import type { TemplateDeps } from './deps';
import { findTemplate } from './find-template';
import type { Template } from './template';

/** A connector whose draft is the template. It runs once it is published. */
export function postFromTemplate(deps: TemplateDeps): HttpRoute {
  return implementRoute(configRoutes.createFromTemplate, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      const template = findTemplate(params.template_id);
      await assertSourcesFit(deps, principal, template);
      const connector = await createConnector(deps, principal, {
        name: body.name, keyLabel: body.create_api_key ? (body.api_key_label ?? 'default') : null, draft: template.config,
      });
      wide.add({ connector_id: connector.id });
      return { status: 201, body: connector };
    },
  });
}

/** Checks all sources of the template before anything is created, because a connector that cannot be published is useless. */
async function assertSourcesFit(deps: TemplateDeps, { organization }: Principal, { config }: Template): Promise<void> {
  const limit = planLimits(organization).event_sources_limit;
  if (limit === null) return;
  const { eventSources: usage } = await deps.store.organizations.usage(organization.id);
  if (usage + config.sources.length > limit)
    throw limitError('event_source_limit_reached', organization, upgradeUrl(deps), { limit, usage });
}
