import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft } from '../drafts/change-draft';
import { putPart } from '../drafts/draft-part';
import type { SourceDeps } from './deps';

export function putDraftSource(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.putDraftSource, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion, ...body }, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change = putPart('sources', params.name, body);
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}
