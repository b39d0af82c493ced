import type { HttpRoute } from '@sluice/service-kit';
import type { TemplateDeps } from './deps';
import { getTemplate } from './get-template';
import { getTemplates } from './get-templates';
import { postFromTemplate } from './post-from-template';

/** The routes of templates. */
export const templateRoutes = (deps: TemplateDeps): HttpRoute[] => [
  getTemplate(deps),
  getTemplates(deps),
  postFromTemplate(deps),
];
