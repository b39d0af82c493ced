import { setTimeout as sleep } from 'node:timers/promises';
import { configRoutes } from '@sluice/contracts';
import { importStopKeptMs } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { mayCancel } from '../../http/cancel-job';
import type { ImportDeps } from './deps';
import { importView } from './import-view';

export function postBulkImportCancel(deps: ImportDeps): HttpRoute {
  return implementRoute(configRoutes.cancelBulkImport, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const before = await deps.imports.get(connector.id, params.import_id);
      const job = before && (mayCancel(before.status) ? await deps.imports.cancel(connector.id, before.id) : before);
      if (!job) throw apiError('Not Found');
      mayCancel(job.status);
      // No row begins after the answer: by then no runner believes any more that it may.
      await sleep(importStopKeptMs);
      return { status: 200, body: importView((await deps.imports.get(connector.id, job.id)) ?? job) };
    },
  });
}
