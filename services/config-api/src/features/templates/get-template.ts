import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { TemplateDeps } from './deps';
import { findTemplate } from './find-template';
import { templateView } from './template-view';

export function getTemplate({ authenticate }: TemplateDeps): HttpRoute {
  return implementRoute(configRoutes.getTemplate, {
    authenticate,
    handler: ({ params }) => ({ status: 200, body: templateView(findTemplate(params.template_id)) }),
  });
}
