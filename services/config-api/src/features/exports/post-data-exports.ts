import { configRoutes } from '@sluice/contracts';
import type { DataExport } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ExportDeps } from './deps';
import { exportView } from './export-view';
import { askPackageStore } from './package-store';

/** Exports that an organization may ask for within 24 hours. */
const limit = { most: 10, withinMs: 86_400_000 };
/** Owners that get a mail. */
const mostOwners = 200;
/** A mail without a link is worth sending for this long. */
const mailTtlMs = 3 * 86_400_000;

export function postDataExports(deps: ExportDeps): HttpRoute {
  return implementRoute(configRoutes.createDataExport, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal, wide }) => {
      // Nothing is queued that could not be stored.
      await askPackageStore(() => deps.blobs.size('data-exports/probe'));
      const asked = { organizationId: principal.organization.id, connectorId: body.connector_id ?? null, limit };
      const answer = await deps.exports.request({ ...asked, requestedBy: nameOf(principal) });
      if (!answer.ok) {
        if (answer.reason === 'in_progress') throw apiError('data_export_in_progress', { export_id: answer.exportId });
        throw apiError(answer.reason === 'limit_reached' ? 'data_export_limit_reached' : 'connector_not_found');
      }
      wide.add({ export_id: answer.export.id });
      if (principal.kind === 'key') await tellOwners(deps, principal, answer.export);
      return { status: 202, body: exportView(answer.export) };
    },
  });
}

const nameOf = (principal: Principal): string => (principal.kind === 'key' ? `api-key:${principal.label}` : principal.email);

/** A key may be stolen: the owners learn that somebody takes their data out. */
async function tellOwners({ store, mailer }: ExportDeps, principal: Principal, { requestedBy }: DataExport): Promise<void> {
  const { id, name: organization } = principal.organization;
  const { items } = await store.members.list(id, { limit: mostOwners, offset: 0 });
  for (const { email } of items.filter(({ role }) => role === 'owner'))
    await store.mails.add(mailer.write('data_export_requested', email, { organization, by: requestedBy }, mailTtlMs));
}
