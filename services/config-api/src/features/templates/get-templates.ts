import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { TemplateDeps } from './deps';
import { templateSummary } from './template-view';
import { templates } from './templates';

export function getTemplates({ authenticate }: TemplateDeps): HttpRoute {
  return implementRoute(configRoutes.listTemplates, {
    authenticate,
    handler: ({ query: { limit, offset } }) => {
      const items = templates.slice(offset, offset + limit).map(templateSummary);
      return { status: 200, body: { items, total: templates.length } };
    },
  });
}
