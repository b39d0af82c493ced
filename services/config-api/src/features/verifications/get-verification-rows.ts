import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { rowCursor } from '../../http/row-cursor';
import type { VerificationDeps } from './deps';
import { verifiedRowView } from './verification-view';

export function getVerificationRows(deps: VerificationDeps): HttpRoute {
  return implementRoute(configRoutes.listVerificationRows, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { status, limit = 50, cursor } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const asked = { ...(status && { status }), after: rowCursor.read(cursor), limit: limit + 1 };
      const found = await deps.verifications.rows(connector.id, params.verification_id, asked);
      if (!found) throw apiError('Not Found');
      const items = found.slice(0, limit);
      const next = found.length > limit ? rowCursor.of(items.at(-1)!.n) : null;
      return { status: 200, body: { items: items.map(verifiedRowView), next_cursor: next } };
    },
  });
}
