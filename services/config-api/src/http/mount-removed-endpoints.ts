import { apiError } from '@sluice/service-kit';
import type { Express, Request } from 'express';

/** Paths of earlier releases and their replacements: `METHOD path`, with the parameters of the old path. */
const removed: Readonly<Record<string, string>> = {
  '/api/templates': 'GET /api/v1/templates',
  '/api/templates/:template_id': 'GET /api/v1/templates/:template_id',
  '/api/connectors/from-template/:template_id': 'POST /api/v1/connectors/from-template/:template_id',
  '/api/connectors/:connector_id/config': 'PUT /api/connectors/:connector_id/draft',
  '/api/connectors/:connector_id/validate': 'GET /api/connectors/:connector_id/preflight',
  '/api/billing/me': 'GET /api/v1/billing/me',
  '/api/events': 'POST /api/v1/events',
};

/** Answers 410 on removed paths, for every method and caller, and names the replacement. */
export function mountRemovedEndpoints(app: Express): void {
  for (const [path, replacement] of Object.entries(removed))
    app.all(path, ({ params }: Request) => {
      throw apiError('endpoint_removed', { replacement: filled(replacement, params as Record<string, string>) });
    });
}

const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
