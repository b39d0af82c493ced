import { apiError } from '@sluice/service-kit';
import type { Template } from './template';
import { templates } from './templates';

/** Throws 404 for an unknown id. */
export function findTemplate(id: string): Template {
  const template = templates.find((one) => one.id === id);
  if (!template) throw apiError('Not Found');
  return template;
}
