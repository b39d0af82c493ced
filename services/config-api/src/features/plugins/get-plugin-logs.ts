import { configRoutes } from '@sluice/contracts';
import { HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { shownVersion } from './plugin-view';

export function getPluginLogs(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.getPluginLogs, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { id } = await findPlugin(deps, principal, params.plugin_id);
      const { since, level, limit = 100, cursor } = query;
      const page = await deps.pluginRuns.logs(
        id, { since: since === undefined ? undefined : new Date(since), level, limit, cursor },
      );
      if (!page) throw new HttpError(
        422, [validationEntry('query', ['cursor'], 'value_error', 'Not a cursor of this list', cursor)],
      );
      const items = page.items.map(({ at, level: of, message, version, eventId, connectorId }) => ({
        at: iso(at), level: of, message, version: shownVersion(version), event_id: eventId, connector_id: connectorId,
      }));
      return { status: 200, body: { items, next_cursor: page.nextCursor } };
    },
  });
}
